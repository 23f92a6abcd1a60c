package io.cleat.views;

import io.cleat.api.CsiPlugin;
import io.cleat.api.CsiPluginStub;
import io.cleat.api.CsiTopology;
import io.cleat.api.Nanos;
import io.cleat.api.PluginController;
import io.cleat.api.PluginInstance;
import io.cleat.api.PluginJob;
import io.cleat.api.PluginNode;
import io.cleat.model.ControllerCapability;
import io.cleat.model.NodeCapability;
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

/** Plugins, and their instances on nodes. */
final class PluginView {
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

    /**
     * @param namespace whose allocations are shown; {@code *} for all
     */
    static CsiPlugin whole(ClusterState state, PluginRow row, String namespace) {
        PluginHealth health = PluginHealth.of(state, row.id());
        PluginCounts counts = PluginCounts.of(health);
        List<AllocationRow> allocations = allocations(state, health, namespace);
        long created = created(state, row.id());
        return new CsiPlugin(
                allocations.isEmpty() ? null : AllocationView.stubs(state, allocations),
                jobs(health.controllerJobs()),
                counts.isControllerRequired(),
                instances(
                        health.controllers(),
                        seen -> shown(controller(seen.instance(), Health.of(seen)))),
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
                instances(health.nodes(), seen -> shown(node(seen.instance(), Health.of(seen)))),
                counts.nodesExpected(),
                counts.nodesHealthy(),
                counts.provider(),
                counts.version());
    }

    /** An entry of a map of controllers; null where the instance serves none. */
    static @Nullable PluginInstance controller(
            io.cleat.model.PluginInstance instance, Health health) {
        io.cleat.model.PluginInstance.Controller controller = instance.controller();
        return controller == null
                ? null
                : instance(instance, health, controller(controller.capabilities()), null);
    }

    /** An entry of a map of nodes; null where the instance serves none. */
    static @Nullable PluginInstance node(io.cleat.model.PluginInstance instance, Health health) {
        io.cleat.model.PluginInstance.Node node = instance.node();
        return node == null ? null : instance(instance, health, null, node(node));
    }

    /** Whether an instance counts as healthy, and why. */
    record Health(boolean isHealthy, String description) {
        /** What the node itself said. */
        static Health asSaid(io.cleat.model.PluginInstance instance) {
            return new Health(instance.healthy(), instance.healthDescription());
        }

        /** An instance cannot be healthy on a node that is not there to be asked. */
        static Health of(PluginHealth.Seen seen) {
            return seen.isWorking() || !seen.instance().healthy()
                    ? asSaid(seen.instance())
                    : new Health(
                            false,
                            "node " + seen.node().name() + " is " + seen.node().status().wire());
        }
    }

    private static PluginInstance instance(
            io.cleat.model.PluginInstance instance,
            Health health,
            @Nullable PluginController controller,
            @Nullable PluginNode node) {
        return new PluginInstance(
                instance.allocId(),
                controller,
                health.description(),
                health.isHealthy(),
                node,
                instance.pluginId(),
                instance.provider(),
                instance.version(),
                instance.requiresController(),
                instance.requiresTopologies(),
                instance.updatedAt());
    }

    private static PluginController controller(Set<ControllerCapability> can) {
        return new PluginController(
                can.contains(ControllerCapability.PUBLISH_UNPUBLISH_VOLUME),
                can.contains(ControllerCapability.CLONE_VOLUME),
                can.contains(ControllerCapability.VOLUME_CONDITION)
                        || can.contains(ControllerCapability.GET_VOLUME_HEALTH)
                        || can.contains(ControllerCapability.LIST_VOLUME_HEALTH),
                can.contains(ControllerCapability.CREATE_DELETE_VOLUME),
                can.contains(ControllerCapability.CREATE_DELETE_SNAPSHOT),
                can.contains(ControllerCapability.EXPAND_VOLUME),
                can.contains(ControllerCapability.GET_VOLUME),
                can.contains(ControllerCapability.GET_CAPACITY),
                can.contains(ControllerCapability.LIST_SNAPSHOTS),
                can.contains(ControllerCapability.LIST_VOLUMES),
                can.contains(ControllerCapability.LIST_VOLUMES_PUBLISHED_NODES),
                can.contains(ControllerCapability.PUBLISH_READONLY));
    }

    private static PluginNode node(io.cleat.model.PluginInstance.Node node) {
        Set<NodeCapability> can = node.capabilities();
        io.cleat.model.Topology reach = node.accessibleFrom();
        return new PluginNode(
                reach == null ? null : new CsiTopology(new TreeMap<>(reach.segments())),
                node.externalNodeId(),
                node.maxVolumes(),
                can.contains(NodeCapability.STAGE_UNSTAGE_VOLUME),
                can.contains(NodeCapability.VOLUME_CONDITION)
                        || can.contains(NodeCapability.GET_VOLUME_HEALTH),
                can.contains(NodeCapability.EXPAND_VOLUME),
                can.contains(NodeCapability.GET_VOLUME_STATS));
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
    private static List<AllocationRow> allocations(
            ClusterState state, PluginHealth health, String namespace) {
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
                .filter(row -> namespace.equals("*") || row.job().namespace().equals(namespace))
                .toList();
    }

    private static boolean runs(ClusterState state, AllocationRow row, String pluginId) {
        return state.jobVersion(row.jobVersion())
                .flatMap(text -> text.spec().group(row.group()))
                .map(
                        group ->
                                group.tasks().stream()
                                        .map(task -> task.csiPlugin())
                                        .filter(Objects::nonNull)
                                        .anyMatch(plugin -> plugin.id().equals(pluginId)))
                .orElse(false);
    }

    /** When the first of what refers to the plugin came; ns since the epoch. */
    private static long created(ClusterState state, String pluginId) {
        Optional<Instant> job =
                state.jobsWithPlugin(pluginId).stream()
                        .map(JobRow::submittedAt)
                        .min(Comparator.naturalOrder());
        return job.or(
                        () ->
                                PluginHealth.of(state, pluginId)
                                        .latest()
                                        .map(io.cleat.model.PluginInstance::updatedAt))
                .map(Nanos::of)
                .orElse(0L);
    }
}
