package io.cleat.wire;

import io.cleat.base.Effect;
import io.cleat.base.TextRule;
import io.cleat.model.ListedSnapshot;
import io.cleat.model.ListedVolume;
import io.cleat.model.Topology;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * How a controller call ended, made fit to be kept. Words are cleaned; what only the provider understands (ids,
 * contexts, topologies, tokens) is taken as it is or not at all: with another id a volume would be lost at the
 * provider. Not taken means that the call's effect is unknown, so it is made again, or looked after by a person.
 */
final class OutcomeTexts {
    /** Volumes or snapshots on one page of a plugin's list. */
    static final int LISTED = 100_000;

    private static final int CODE = 255;
    private static final int WORDS = 4_096;

    private OutcomeTexts() {}

    static OrderOutcome clean(OrderOutcome outcome) {
        return switch (outcome) {
            case OrderOutcome.Failed(var effect, String code, String message) -> {
                TextBudget budget = new TextBudget(TextBudget.CHARS);
                yield new OrderOutcome.Failed(effect, budget.line(code, CODE), budget.words(message, WORDS));
            }
            case OrderOutcome.Done(ControllerReply reply) ->
                fault(reply)
                        .<OrderOutcome>map(OutcomeTexts::notTaken)
                        .orElseGet(() -> new OrderOutcome.Done(clean(reply)));
        };
    }

    private static OrderOutcome notTaken(String fault) {
        return new OrderOutcome.Failed(
                Effect.UNKNOWN, "Internal", "the plugin's answer is not taken: " + fault + "; correct the plugin");
    }

    private static ControllerReply clean(ControllerReply reply) {
        return switch (reply) {
            case ControllerReply.NotConfirmed(String message) ->
                new ControllerReply.NotConfirmed(new TextBudget(TextBudget.CHARS).words(message, WORDS));
            case ControllerReply.Listed(var entries, String next) ->
                new ControllerReply.Listed(
                        entries.stream().map(OutcomeTexts::listed).toList(), next);
            default -> reply;
        };
    }

    private static ListedVolume listed(ListedVolume volume) {
        return new ListedVolume(
                volume.externalId(),
                volume.capacity(),
                volume.context(),
                volume.publishedNodeIds(),
                volume.abnormal(),
                new TextBudget(TextBudget.CHARS).words(volume.condition(), WORDS));
    }

    private static Optional<String> fault(ControllerReply reply) {
        return switch (reply) {
            case ControllerReply.Created(var id, var _, var context, var places) ->
                id("volume id", id)
                        .or(() -> context("volume context", context))
                        .or(() -> places(places))
                        .or(() -> tooLarge(id.length()
                                + size(context)
                                + places.stream().mapToLong(OutcomeTexts::size).sum()));
            case ControllerReply.Published(var secrets) ->
                context("publish context", secrets.reveal()).or(() -> tooLarge(size(secrets.reveal())));
            case ControllerReply.SnapshotCreated(ListedSnapshot snapshot) -> snapshot(snapshot);
            case ControllerReply.HostVolumeMade(String path, long _) -> id("path", path);
            case ControllerReply.Listed(var entries, String next) ->
                tooMany(entries).or(() -> first(entries, OutcomeTexts::volume)).or(() -> id("next token", next));
            case ControllerReply.SnapshotsListed(var entries, String next) ->
                tooMany(entries)
                        .or(() -> first(entries, OutcomeTexts::snapshot))
                        .or(() -> id("next token", next));
            case ControllerReply.Deleted _,
                    ControllerReply.Unpublished _,
                    ControllerReply.Confirmed _,
                    ControllerReply.NotConfirmed _,
                    ControllerReply.Expanded _,
                    ControllerReply.SnapshotDeleted _,
                    ControllerReply.HostVolumeDeleted _,
                    ControllerReply.Room _ -> Optional.empty();
        };
    }

    /** What is wrong with a place; empty if nothing is. */
    static Optional<String> fault(Topology place) {
        return context("topology", place.segments());
    }

    /** Characters, and what each entry costs beside them. */
    static long size(Topology place) {
        return size(place.segments());
    }

    private static long size(Map<String, String> map) {
        return map.entrySet().stream()
                .mapToLong(entry ->
                        16L + entry.getKey().length() + entry.getValue().length())
                .sum();
    }

    private static Optional<String> places(List<Topology> places) {
        return first(places, OutcomeTexts::fault);
    }

    private static Optional<String> volume(ListedVolume volume) {
        return id("volume id", volume.externalId())
                .or(() -> context("volume context", volume.context()))
                .or(() -> first(volume.publishedNodeIds(), node -> id("node id", node)));
    }

    private static Optional<String> snapshot(ListedSnapshot snapshot) {
        return id("snapshot id", snapshot.snapshotId()).or(() -> id("source volume id", snapshot.sourceExternalId()));
    }

    private static Optional<String> id(String what, String id) {
        return TextRule.lineFault(id).map(fault -> "the " + what + " " + TextRule.quoted(id) + " " + fault);
    }

    /** Names are shown; values may be secrets. */
    private static Optional<String> context(String what, Map<String, String> context) {
        return first(
                context.entrySet(),
                entry -> id("name in the " + what, entry.getKey())
                        .or(() -> TextRule.fault(entry.getValue())
                                .map(fault -> "the value of "
                                        + TextRule.quoted(entry.getKey())
                                        + " in the "
                                        + what
                                        + " "
                                        + fault)));
    }

    private static Optional<String> tooLarge(long chars) {
        return chars > TextBudget.CHARS
                ? Optional.of("it has " + chars + " characters; at most " + TextBudget.CHARS + " can be kept")
                : Optional.empty();
    }

    private static Optional<String> tooMany(List<?> entries) {
        return entries.size() > LISTED
                ? Optional.of("it lists " + entries.size() + " on one page; at most " + LISTED + " can be")
                : Optional.empty();
    }

    private static <E> Optional<String> first(Iterable<E> elements, Function<E, Optional<String>> judge) {
        for (E element : elements) {
            Optional<String> fault = judge.apply(element);
            if (fault.isPresent()) {
                return fault;
            }
        }
        return Optional.empty();
    }
}
