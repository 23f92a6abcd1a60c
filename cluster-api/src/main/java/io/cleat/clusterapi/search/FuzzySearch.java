package io.cleat.clusterapi.search;

import io.cleat.api.AnswerMeta;
import io.cleat.api.FuzzySearchRequest;
import io.cleat.api.FuzzySearchResponse;
import io.cleat.api.SearchRequest;
import io.cleat.api.SearchResponse;
import io.cleat.base.Refusal;
import io.cleat.base.Refused;
import io.cleat.base.TextRule;
import io.cleat.clusterapi.nodes.NodePoolAnswers;
import io.cleat.http.ShownNamespaces;
import io.cleat.model.JobId;
import io.cleat.model.JobSpec;
import io.cleat.model.Service;
import io.cleat.model.Task;
import io.cleat.model.TaskGroup;
import io.cleat.state.ClusterState;
import io.cleat.state.Namespaces;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Names with a text in them. What has no name but an id is found by the beginning of that, as by {@link Search}, when
 * everything is searched. Used by one thread, once.
 */
final class FuzzySearch {
    /** The shortest text that is looked for. */
    private static final int SHORTEST = 2;

    /** Names of each kind in an answer. */
    private static final int MOST = 100;

    /** Objects of a context that are looked at. */
    private static final int LOOKED_AT = 10_000;

    private static final String ALL = "all";

    /** What is found by the beginning of its id. */
    private static final List<String> BY_ID = List.of("deployment", "evals", "scaling_policy", "vars", "volumes");

    private static final List<String> BY_NAME =
            List.of("allocs", "jobs", "namespaces", "node_pools", "nodes", "plugins");

    /** What a task may run, by the key of its configuration. */
    private static final Map<String, String> KINDS_BY_KEY =
            Map.of("class", "classes", "command", "commands", "image", "images");

    private final ClusterState state;
    private final ShownNamespaces shown;

    /** What the context that is looked at has, by kind. */
    private final Map<String, ClosestMatches> found = new LinkedHashMap<>();

    FuzzySearch(ClusterState state, String namespace) {
        this.state = state;
        this.shown = new ShownNamespaces(namespace);
    }

    /** @throws Refused the context is none of those that are searched, or the text is too short */
    FuzzySearchResponse find(FuzzySearchRequest request, AnswerMeta meta) throws Refused {
        String text = request.Text().toLowerCase(Locale.ROOT);
        if (text.length() < SHORTEST) {
            throw new Refused(new Refusal.Malformed(
                    "fuzzy search query must be at least " + SHORTEST + " characters, got " + text.length()));
        }
        String context = request.Context().isEmpty() ? ALL : request.Context();
        Map<String, List<FuzzySearchResponse.Match>> matches = new TreeMap<>();
        Map<String, Boolean> truncations = new TreeMap<>();
        for (String each : wanted(context, BY_ID)) {
            byId(each, request.Text(), meta, matches, truncations);
        }
        for (String each : wanted(context, BY_NAME)) {
            found.clear();
            truncations.put(each, look(each, text));
            found.forEach((kind, closest) -> {
                if (!closest.matches().isEmpty()) {
                    matches.put(kind, closest.matches());
                }
            });
        }
        if (truncations.isEmpty()) {
            throw unknown(context);
        }
        return new FuzzySearchResponse(
                meta.index(), meta.knownLeader(), meta.lastContactMillis(), matches, "", truncations);
    }

    private static List<String> wanted(String context, List<String> known) {
        return known.stream()
                .filter(each -> context.equals(ALL) || context.equals(each))
                .toList();
    }

    private static Refused unknown(String context) {
        return new Refused(new Refusal.Invalid("invalid context "
                + TextRule.quoted(context)
                + "; expected all or one of "
                + String.join(", ", BY_NAME)
                + ", "
                + String.join(", ", BY_ID)));
    }

    private void byId(
            String context,
            String prefix,
            AnswerMeta meta,
            Map<String, List<FuzzySearchResponse.Match>> matches,
            Map<String, Boolean> truncations)
            throws Refused {
        SearchResponse answer = new Search(state, shown.name()).find(new SearchRequest(context, prefix), meta);
        List<String> ids = answer.Matches().get(context);
        matches.put(
                context,
                ids == null
                        ? List.of()
                        : ids.stream()
                                .map(id -> new FuzzySearchResponse.Match(id, List.of()))
                                .toList());
        truncations.put(context, answer.Truncations().getOrDefault(context, false));
    }

    /** Looks at all of a context; returns whether something was left out. */
    private boolean look(String context, String text) {
        boolean isCut = switch (context) {
            case "allocs" ->
                each(state.allocationsFrom(""), row -> {
                    if (shown.has(row.job().namespace())) {
                        at(context, text).offer(row.name(), List.of(row.job().namespace(), row.id()));
                    }
                });
            case "jobs" ->
                each(state.jobsFrom(new JobId(shown.first(), "")), row -> {
                    if (shown.has(row.id().namespace())) {
                        job(row.spec(), text);
                    }
                });
            case "namespaces" ->
                each(Namespaces.all(state), row -> at(context, text).offer(row.name(), List.of()));
            case "node_pools" ->
                each(NodePoolAnswers.names(state), name -> at(context, text).offer(name, List.of(name)));
            case "nodes" -> each(state.nodesFrom(""), row -> at(context, text).offer(row.name(), List.of(row.id())));
            default -> each(state.pluginsFrom(""), row -> at(context, text).offer(row.id(), List.of()));
        };
        return isCut || found.values().stream().anyMatch(ClosestMatches::isCut);
    }

    private static <R> boolean each(Collection<R> rows, Consumer<R> look) {
        Iterator<R> walk = rows.iterator();
        for (int i = 0; i < LOOKED_AT && walk.hasNext(); i++) {
            look.accept(walk.next());
        }
        return walk.hasNext();
    }

    private ClosestMatches at(String kind, String text) {
        return found.computeIfAbsent(kind, k -> new ClosestMatches(text, MOST));
    }

    private void job(JobSpec job, String text) {
        String of = job.id().namespace();
        String id = job.id().id();
        at("jobs", text).offer(job.name(), List.of(of, id));
        for (TaskGroup group : job.groups()) {
            at("groups", text).offer(group.name(), List.of(of, id));
            for (Service service : group.services()) {
                at("services", text).offer(service.name(), List.of(of, id, group.name()));
            }
            for (Task task : group.tasks()) {
                at("tasks", text).offer(task.name(), List.of(of, id, group.name()));
                for (Service service : task.services()) {
                    at("services", text).offer(service.name(), List.of(of, id, group.name(), task.name()));
                }
                KINDS_BY_KEY.forEach((key, kind) -> {
                    if (task.config().get(key) instanceof String runs) {
                        at(kind, text).offer(runs, List.of(of, id, group.name(), task.name()));
                    }
                });
            }
        }
    }
}
