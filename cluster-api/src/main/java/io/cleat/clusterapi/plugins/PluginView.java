package io.cleat.clusterapi.plugins;

import io.cleat.api.CsiPlugin;
import io.cleat.api.CsiPluginStub;
import io.cleat.api.Nanos;
import io.cleat.api.PluginInstance;
import io.cleat.api.PluginJob;
import io.cleat.clusterapi.allocations.AllocationView;
import io.cleat.clusterapi.nodes.InstanceView;
import io.cleat.clusterapi.query.MapOfViews;
import io.cleat.http.ShownNamespaces;
import io.cleat.schedule.PluginCounts;
import io.cleat.schedule.PluginHealth;
import io.cleat.state.AllocationRow;
import io.cleat.state.ClusterState;
import io.cleat.state.JobRow;
import io.cleat.state.PluginRow;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Plugins: whole, and as a list shows them. */
public final class PluginView {
    private PluginView() {}

    static CsiPluginStub stub(PluginCounts counts, PluginRow row) {
        return new CsiPluginStub(
                counts.isControllerRequired(),
                counts.controllersExpected(),
                counts.controllersHealthy(),
                row.createVersion(),
                row.id(),
                row.modifyVersion(),
                counts.nodesExpected(),
                counts.nodesHealthy(),
                counts.provider());
    }

    /** @param shown the namespaces whose allocations are shown */
    public static CsiPlugin whole(ClusterState state, PluginRow row, ShownNamespaces shown) {
        PluginHealth health = PluginHealth.of(state, row.id());
        PluginCounts counts = PluginCounts.of(health);
        List<AllocationRow> allocations = allocations(state, health, shown);
        long created = created(state, row.id());
        return new CsiPlugin(
                allocations.isEmpty() ? null : AllocationView.stubs(state, allocations),
                jobs(health.controllerJobs()),
                counts.isControllerRequired(),
                instances(
                        health.controllers(),
                        seen -> shown(InstanceView.controller(seen.instance(), InstanceView.Health.of(seen)))),
                counts.controllersExpected(),
                counts.controllersHealthy(),
                row.createVersion(),
                created,
                row.id(),
                row.modifyVersion(),
                health.latest()
                        .map(last -> Math.max(created, Nanos.of(last.updatedAt())))
                        .orElse(created),
                jobs(health.nodeJobs()),
                instances(
                        health.nodes(),
                        seen -> shown(InstanceView.node(seen.instance(), InstanceView.Health.of(seen)))),
                counts.nodesExpected(),
                counts.nodesHealthy(),
                counts.provider(),
                counts.version());
    }

    private static Map<String, PluginInstance> instances(
            List<PluginHealth.Seen> seen, Function<PluginHealth.Seen, PluginInstance> view) {
        SortedMap<String, PluginHealth.Seen> byNode = new TreeMap<>();
        seen.forEach(each -> byNode.put(each.node().id(), each));
        return new MapOfViews<>(byNode, view);
    }

    /** Only those are listed that serve it. */
    private static PluginInstance shown(@Nullable PluginInstance instance) {
        return Objects.requireNonNull(instance);
    }

    private static Map<String, Map<String, PluginJob>> jobs(List<PluginHealth.Wanted> wanted) {
        Map<String, Map<String, PluginJob>> byNamespace = new TreeMap<>();
        for (PluginHealth.Wanted each : wanted) {
            String namespace = each.job().namespace();
            byNamespace
                    .computeIfAbsent(namespace, name -> new TreeMap<>())
                    .put(
                            each.job().id(),
                            new PluginJob(each.expected(), each.job().id(), namespace));
        }
        return byNamespace;
    }

    /** The allocations that run the plugin, or are to: by id. */
    private static List<AllocationRow> allocations(ClusterState state, PluginHealth health, ShownNamespaces shown) {
        Set<String> ids = new TreeSet<>();
        Stream.of(health.controllers(), health.nodes())
                .flatMap(List::stream)
                .forEach(seen -> ids.add(seen.instance().allocId()));
        for (JobRow job : state.jobsWithPlugin(health.pluginId())) {
            state.allocationsOfJob(job.id()).stream()
                    .filter(row -> !row.isTerminal())
                    .filter(row -> runs(state, row, health.pluginId()))
                    .forEach(row -> ids.add(row.id()));
        }
        return ids.stream()
                .flatMap(id -> state.allocation(id).stream())
                .filter(row -> shown.has(row.job().namespace()))
                .toList();
    }

    private static boolean runs(ClusterState state, AllocationRow row, String pluginId) {
        return state.jobVersion(row.jobVersion())
                .flatMap(jobVersion -> jobVersion.spec().group(row.group()))
                .map(group -> group.tasks().stream()
                        .map(task -> task.csiPlugin())
                        .filter(Objects::nonNull)
                        .anyMatch(plugin -> plugin.id().equals(pluginId)))
                .orElse(false);
    }

    /** When the first of what refers to the plugin came; ns since the epoch. */
    private static long created(ClusterState state, String pluginId) {
        Optional<Instant> job =
                state.jobsWithPlugin(pluginId).stream().map(JobRow::submittedAt).min(Comparator.naturalOrder());
        return job.or(() -> PluginHealth.of(state, pluginId).latest().map(io.cleat.model.PluginInstance::updatedAt))
                .map(Nanos::of)
                .orElse(0L);
    }
}
