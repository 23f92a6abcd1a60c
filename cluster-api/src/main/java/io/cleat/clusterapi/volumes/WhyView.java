package io.cleat.clusterapi.volumes;

import io.cleat.api.VolumeWhy;
import io.cleat.clusterapi.plugins.PluginIllness;
import io.cleat.model.BlockedBy;
import io.cleat.model.VolumeEvent;
import io.cleat.model.VolumeId;
import io.cleat.schedule.PluginHealth;
import io.cleat.server.decide.Recovery;
import io.cleat.state.AllocationRow;
import io.cleat.state.AttachmentRow;
import io.cleat.state.ClaimRow;
import io.cleat.state.ClaimState;
import io.cleat.state.ClusterState;
import io.cleat.state.EvaluationRow;
import io.cleat.state.EvaluationStatus;
import io.cleat.state.HoldingRow;
import io.cleat.state.NodeRow;
import io.cleat.state.NodeStatus;
import io.cleat.state.OperationCall;
import io.cleat.state.OperationRow;
import io.cleat.state.VolumeProgress;
import io.cleat.state.VolumeRow;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Why a volume is as it is. The words of each wait are the stored ones; only the sentence about the whole is made here.
 */
final class WhyView {
    private final ClusterState state;
    private final VolumeRow volume;
    private final List<ClaimRow> claims;

    /** Also of a volume that is not registered while a call about it has no known end. */
    static Optional<VolumeWhy> of(ClusterState state, VolumeId id) {
        Optional<VolumeRow> row = state.volume(id);
        if (row.isPresent()) {
            return Optional.of(new WhyView(state, row.get()).why());
        }
        List<VolumeWhy.Waiting> calls = operations(pending(state, id));
        return calls.isEmpty()
                ? ended(state, id)
                : Optional.of(new VolumeWhy(
                        List.of(),
                        List.of(),
                        id.id(),
                        id.namespace(),
                        "not registered: a call about it has no known end",
                        calls));
    }

    /** How its last call failed, for as long as that is kept. */
    private static Optional<VolumeWhy> ended(ClusterState state, VolumeId id) {
        return state.operations().of(id).stream()
                .max(Comparator.comparing(OperationRow::since))
                .flatMap(row -> OperationView.failure(row).map(words -> told(id, row, words)));
    }

    private static VolumeWhy told(VolumeId id, OperationRow row, String words) {
        return new VolumeWhy(
                List.of(),
                List.of(),
                id.id(),
                id.namespace(),
                "not registered: "
                        + OperationCall.csiName(row.call())
                        + " ended at "
                        + row.since().truncatedTo(ChronoUnit.SECONDS)
                        + ": "
                        + words,
                List.of());
    }

    /** About the volume; if there are none, the deletion of a snapshot of that id. */
    private static List<OperationRow> pending(ClusterState state, VolumeId id) {
        List<OperationRow> about = state.operations().of(id);
        return about.stream().anyMatch(row -> !row.isDone())
                ? about
                : state.operations().all().stream()
                        .filter(row -> row.call().about().isEmpty())
                        .filter(row -> OperationView.isAbout(row, id.id()))
                        .toList();
    }

    private WhyView(ClusterState state, VolumeRow volume) {
        this.state = state;
        this.volume = volume;
        this.claims = state.claims().of(volume.key());
    }

    VolumeWhy why() {
        return new VolumeWhy(
                claims.stream().map(this::claim).toList(),
                volume.events().stream().map(WhyView::event).toList(),
                volume.id().id(),
                volume.id().namespace(),
                sentence(),
                Stream.of(attachments(), operations(state.operations().of(volume.id())), growing(), evaluations())
                        .flatMap(List::stream)
                        .toList());
    }

    /** A recovery first, since nothing goes on in it; then who holds it and who waits. */
    private String sentence() {
        List<String> parts = new ArrayList<>();
        if (state.isRecovering()) {
            parts.add(Recovery.words(state) + "; until a person ends that, nothing goes on: see operator recovery");
        }
        parts.add(holders());
        long waiting = count(ClaimState.WAITING)
                + waitingEvaluations().stream()
                        .map(EvaluationRow::job)
                        .distinct()
                        .count();
        if (waiting > 0) {
            parts.add(waiting == 1 ? "one job waits for it" : waiting + " jobs wait for it");
        }
        long growing = growing().size();
        if (growing > 0) {
            parts.add("its new size waits for " + claims(growing));
        }
        PluginHealth plugin = PluginHealth.of(state, volume.spec().pluginId());
        if (!plugin.isSchedulable()) {
            parts.add(PluginIllness.of(state, plugin));
        }
        return String.join("; ", parts);
    }

    private long count(ClaimState in) {
        return claims.stream().filter(claim -> claim.state() == in).count();
    }

    private String holders() {
        long granted = count(ClaimState.GRANTED);
        long releasing = count(ClaimState.RELEASING);
        List<HoldingRow> unknown = HoldingRow.unknown(state, volume.key());
        if (granted + releasing + unknown.size() == 0) {
            return "free: nobody uses it";
        }
        String modes = state.claims()
                .currentModes(volume.key())
                .map(now -> " as " + now.access().wire())
                .orElse("");
        List<String> parts = new ArrayList<>();
        if (granted > 0) {
            parts.add("in use" + modes + " by " + claims(granted));
        }
        if (releasing > 0) {
            parts.add("being released by " + claims(releasing));
        }
        if (!unknown.isEmpty()) {
            parts.add("held since before the recovery: "
                    + unknown.getFirst().holder(state)
                    + " has it"
                    + (unknown.size() > 1 ? ", and " + (unknown.size() - 1) + " more" : ""));
        }
        return String.join(", ", parts);
    }

    private static String claims(long count) {
        return count == 1 ? "one allocation" : count + " allocations";
    }

    private VolumeWhy.Claim claim(ClaimRow claim) {
        Optional<AllocationRow> allocation = state.allocation(claim.allocId());
        Optional<VolumeProgress> progress =
                allocation.map(row -> row.seen().volumes().get(claim.alias()));
        BlockedBy wait = claim.blockedBy() != null
                ? claim.blockedBy()
                : progress.map(VolumeProgress::waitingFor).orElse(null);
        return new VolumeWhy.Claim(
                claim.modes().access().wire(),
                claim.allocId(),
                allocation.map(AllocationRow::name).orElse(""),
                wait == null ? null : waiting("", wait),
                claim.epoch(),
                allocation.map(row -> row.job().id()).orElse(""),
                claim.nodeId(),
                state.node(claim.nodeId()).map(NodeRow::name).orElse(""),
                claim.readOnly(),
                claim.since(),
                claim.state().wire(),
                step(claim, progress));
    }

    /** What the node is doing for a claim; a waiting one has nothing done for it. */
    private static String step(ClaimRow claim, Optional<VolumeProgress> progress) {
        if (!claim.holds() || progress.isEmpty()) {
            return "";
        }
        return switch (progress.get().phase()) {
            case NONE -> claim.state() == ClaimState.GRANTED ? "assign" : "";
            case MOUNTING -> "mount";
            case PUBLISHED -> "published";
            case UNMOUNTING -> "unmount";
            case UNPUBLISHED -> "unpublished";
        };
    }

    private List<VolumeWhy.Waiting> attachments() {
        List<VolumeWhy.Waiting> waiting = new ArrayList<>();
        for (AttachmentRow attachment : state.attachments().of(volume.key())) {
            String node = state.node(attachment.id().nodeId())
                    .map(NodeRow::name)
                    .orElse(attachment.id().nodeId());
            add(
                    waiting,
                    "attachment to node " + node + " (" + attachment.state().wire() + ")",
                    attachment.blockedBy());
        }
        return waiting;
    }

    private static List<VolumeWhy.Waiting> operations(List<OperationRow> operations) {
        List<VolumeWhy.Waiting> waiting = new ArrayList<>();
        for (OperationRow operation : operations) {
            if (!operation.isDone()) {
                add(
                        waiting,
                        "call "
                                + OperationCall.csiName(operation.call())
                                + " ("
                                + operation.state().wire()
                                + ", tries "
                                + operation.tries()
                                + ")",
                        operation.blockedBy());
            }
        }
        return waiting;
    }

    /** Those who use it and do not see all of it yet. */
    private List<VolumeWhy.Waiting> growing() {
        List<VolumeWhy.Waiting> waiting = new ArrayList<>();
        for (ClaimRow claim : claims) {
            Optional<VolumeProgress> progress = state.allocation(claim.allocId())
                    .map(row -> row.seen().volumes().get(claim.alias()));
            long seen = progress.map(VolumeProgress::expandedTo).orElse(0L);
            if (claim.state() == ClaimState.GRANTED && seen < volume.expandTo()) {
                waiting.add(waiting(
                        "expansion to " + volume.expandTo() + " bytes for allocation " + claim.allocId(),
                        progress.map(VolumeProgress::waitingFor).orElseGet(() -> expansion(claim, progress))));
            }
        }
        return waiting;
    }

    /** What an expansion waits for that its node has not said anything about. */
    private BlockedBy expansion(ClaimRow claim, Optional<VolumeProgress> progress) {
        Optional<NodeRow> node = state.node(claim.nodeId());
        String name = node.map(NodeRow::name).orElse(claim.nodeId());
        boolean isPublished = progress.filter(is -> is.phase() == VolumeProgress.Phase.PUBLISHED)
                .isPresent();
        boolean isThere = node.filter(is -> is.status() == NodeStatus.READY).isPresent();
        String hint = !isThere
                ? "node " + name + " expands it once it is back"
                : isPublished
                        ? "node " + name + " was told and has not answered yet"
                        : "node " + name + " expands it once it is mounted there";
        return new BlockedBy("expand", "node " + name, since(claim), null, hint);
    }

    /** When the volume grew at its provider, or, if that is longer ago, when the claim began. */
    private Instant since(ClaimRow claim) {
        return volume.events().stream()
                .filter(event -> event.call().equals("ControllerExpandVolume"))
                .map(VolumeEvent::at)
                .filter(at -> at.isAfter(claim.since()))
                .reduce((first, second) -> second)
                .orElse(claim.since());
    }

    private List<EvaluationRow> waitingEvaluations() {
        return state.evaluations().in(EvaluationStatus.BLOCKED).stream()
                .filter(row -> row.waits().blockedOn().contains(volume.id()) || isAskedForBy(row))
                .toList();
    }

    /**
     * Whether a group that found no place asks for the volume: its plugin or a place that reaches the volume may be
     * what is absent, which no evaluation names a volume for.
     */
    private boolean isAskedForBy(EvaluationRow row) {
        return row.job().namespace().equals(volume.id().namespace())
                && state.job(row.job()).stream()
                        .flatMap(job -> job.spec().groups().stream())
                        .filter(group -> row.outcome().failedGroups().containsKey(group.name()))
                        .flatMap(group -> group.volumes().values().stream())
                        .anyMatch(request -> request.asksFor(volume.id().id()));
    }

    private List<VolumeWhy.Waiting> evaluations() {
        List<VolumeWhy.Waiting> waiting = new ArrayList<>();
        for (EvaluationRow row : waitingEvaluations()) {
            add(
                    waiting,
                    "evaluation " + row.id() + " of job " + row.job().id(),
                    row.waits().blockedBy());
        }
        return waiting;
    }

    private static void add(List<VolumeWhy.Waiting> waiting, String what, @Nullable BlockedBy wait) {
        if (wait != null) {
            waiting.add(waiting(what, wait));
        }
    }

    static VolumeWhy.Waiting waiting(String what, BlockedBy wait) {
        return new VolumeWhy.Waiting(wait.hint(), wait.holder(), wait.nextTry(), wait.since(), wait.step(), what);
    }

    private static VolumeWhy.Event event(VolumeEvent event) {
        return new VolumeWhy.Event(
                event.call(), event.code(), event.took().toNanos(), event.message(), event.nodeId(), event.at());
    }
}
