package io.cleat.clusterapi.search;

import io.cleat.api.AnswerMeta;
import io.cleat.api.SearchRequest;
import io.cleat.api.SearchResponse;
import io.cleat.base.Refusal;
import io.cleat.base.Refused;
import io.cleat.clusterapi.nodes.NodePoolAnswers;
import io.cleat.http.ShownNamespaces;
import io.cleat.model.JobId;
import io.cleat.model.VariableId;
import io.cleat.model.VolumeId;
import io.cleat.state.AllocationRow;
import io.cleat.state.ClusterState;
import io.cleat.state.DeploymentRow;
import io.cleat.state.EvaluationRow;
import io.cleat.state.NamespaceRow;
import io.cleat.state.Namespaces;
import io.cleat.state.NodeRow;
import io.cleat.state.PluginRow;
import io.cleat.state.ScalingPolicy;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Ids that begin with some letters, by kind. */
final class Search {
    private static final int MOST = 20;

    private final ClusterState state;
    private final ShownNamespaces shown;

    Search(ClusterState state, String namespace) {
        this.state = state;
        this.shown = new ShownNamespaces(namespace);
    }

    /** @throws Refused the context is none of those that are searched */
    SearchResponse find(SearchRequest request, AnswerMeta meta) throws Refused {
        Map<String, Function<String, Stream<String>>> contexts = contexts();
        String context = request.Context().isEmpty() ? "all" : request.Context();
        if (!context.equals("all") && !contexts.containsKey(context)) {
            throw new Refused(new Refusal.Invalid("invalid context \""
                    + context
                    + "\"; expected all or one of "
                    + String.join(", ", contexts.keySet())));
        }
        Map<String, @Nullable List<String>> matches = new TreeMap<>();
        Map<String, Boolean> truncations = new TreeMap<>();
        contexts.forEach((name, ids) -> {
            if (context.equals("all") || context.equals(name)) {
                List<String> found =
                        ids.apply(request.Prefix()).limit(MOST + 1L).toList();
                truncations.put(name, found.size() > MOST);
                matches.put(name, found.isEmpty() ? null : found.subList(0, Math.min(MOST, found.size())));
            }
        });
        return new SearchResponse(meta.index(), meta.knownLeader(), meta.lastContactMillis(), matches, "", truncations);
    }

    /** What is searched, by the name of its context; kinds this version does not have are empty. */
    private Map<String, Function<String, Stream<String>>> contexts() {
        Map<String, Function<String, Stream<String>>> contexts = new LinkedHashMap<>();
        putWork(contexts);
        putPlaces(contexts);
        putStored(contexts);
        return contexts;
    }

    private void putWork(Map<String, Function<String, Stream<String>>> contexts) {
        contexts.put(
                "allocs",
                prefix -> ids(
                        state.allocationsFrom(prefix),
                        AllocationRow::id,
                        row -> shown.has(row.job().namespace()),
                        prefix));
        contexts.put(
                "deployment",
                prefix -> ids(
                        state.deployments().from(prefix),
                        DeploymentRow::id,
                        row -> shown.has(row.job().namespace()),
                        prefix));
        contexts.put(
                "evals",
                prefix -> ids(
                        state.evaluations().from(prefix),
                        EvaluationRow::id,
                        row -> shown.has(row.job().namespace()),
                        prefix));
        contexts.put("host_volumes", prefix -> Stream.empty());
        contexts.put(
                "jobs",
                prefix -> ids(
                        state.jobsFrom(new JobId(shown.first(), shown.from(prefix))),
                        row -> row.id().id(),
                        row -> shown.has(row.id().namespace()),
                        prefix));
    }

    private void putPlaces(Map<String, Function<String, Stream<String>>> contexts) {
        contexts.put(
                "namespaces",
                prefix ->
                        Namespaces.all(state).stream().map(NamespaceRow::name).filter(name -> name.startsWith(prefix)));
        contexts.put(
                "node_pools", prefix -> NodePoolAnswers.names(state).stream().filter(name -> name.startsWith(prefix)));
        contexts.put("nodes", prefix -> ids(state.nodesFrom(prefix), NodeRow::id, row -> true, prefix));
        contexts.put("plugins", prefix -> ids(state.pluginsFrom(prefix), PluginRow::id, row -> true, prefix));
    }

    private void putStored(Map<String, Function<String, Stream<String>>> contexts) {
        contexts.put(
                "scaling_policy",
                prefix -> state.scaling()
                        .policies()
                        .filter(policy -> shown.has(policy.job().id().namespace()))
                        .map(ScalingPolicy::id)
                        .filter(id -> id.startsWith(prefix)));
        contexts.put(
                "vars",
                prefix -> ids(
                        state.variables().from(new VariableId(shown.first(), shown.from(prefix))),
                        row -> row.id().path(),
                        row -> shown.has(row.id().namespace()),
                        prefix));
        contexts.put(
                "volumes",
                prefix -> ids(
                        state.volumesFrom(new VolumeId(shown.first(), shown.from(prefix))),
                        row -> row.id().id(),
                        row -> shown.has(row.id().namespace()),
                        prefix));
    }

    private <R> Stream<String> ids(Collection<R> rows, Function<R, String> id, Predicate<R> isShown, String prefix) {
        return rows.stream()
                .takeWhile(row -> shown.areAll() || id.apply(row).startsWith(prefix))
                .filter(row -> isShown.test(row) && id.apply(row).startsWith(prefix))
                .map(id);
    }
}
