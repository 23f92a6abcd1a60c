package io.cleat.cli;

import io.cleat.api.CsiPlugin;
import io.cleat.api.CsiPluginStub;
import io.cleat.api.CsiTopology;
import io.cleat.api.PluginController;
import io.cleat.api.PluginInstance;
import io.cleat.api.PluginLane;
import io.cleat.api.PluginNode;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Plugins as text. */
final class PluginView {
    private PluginView() {}

    static String list(List<CsiPluginStub> plugins) {
        Columns columns = new Columns("ID", "Provider", "Controllers Healthy/Expected", "Nodes Healthy/Expected");
        plugins.stream()
                .sorted(Comparator.comparing(CsiPluginStub::ID))
                .forEach(one -> columns.row(
                        one.ID(),
                        one.Provider(),
                        one.ControllersHealthy() + "/" + one.ControllersExpected(),
                        one.NodesHealthy() + "/" + one.NodesExpected()));
        return columns.text();
    }

    static String summary(CsiPlugin plugin) {
        return new Rows()
                .put("ID", plugin.ID())
                .put("Provider", plugin.Provider())
                .put("Version", plugin.Version())
                .put("Controllers Healthy", plugin.ControllersHealthy())
                .put("Controllers Expected", plugin.ControllersExpected())
                .put("Nodes Healthy", plugin.NodesHealthy())
                .put("Nodes Expected", plugin.NodesExpected())
                .text();
    }

    /** How busy the controller's calls are, by kind; empty when there are no lanes. */
    static String lanes(List<PluginLane> lanes) {
        Columns columns = new Columns("Lane", "Depth", "In Flight", "Width", "Oldest");
        for (PluginLane lane : lanes) {
            columns.row(
                    lane.Name(),
                    Integer.toString(lane.Depth()),
                    Integer.toString(lane.InFlight()),
                    Integer.toString(lane.Width()),
                    lane.Depth() == 0
                            ? "<none>"
                            : Human.span(Duration.ofNanos(lane.OldestAge()).toSeconds()));
        }
        return lanes.isEmpty() ? "" : columns.text();
    }

    /**
     * The instances that are not healthy, with their reason, one per line; empty when all are. The counts alone would
     * not say why.
     */
    static String unhealthy(CsiPlugin plugin, boolean verbose) {
        Columns columns = new Columns("Service", "Node ID", "Alloc ID", "Reason");
        unhealthy("controller", plugin.Controllers(), verbose, columns);
        unhealthy("node", plugin.Nodes(), verbose, columns);
        return columns.isEmpty() ? "" : columns.text();
    }

    private static void unhealthy(
            String service, Map<String, PluginInstance> instances, boolean verbose, Columns columns) {
        new TreeMap<>(instances).forEach((node, one) -> {
            if (!one.Healthy()) {
                columns.row(
                        service, Human.id(node, verbose), Human.id(one.AllocID(), verbose), one.HealthDescription());
            }
        });
    }

    /** What the controller service of any instance can do, one per line. */
    static Set<String> controllerCapabilities(Collection<PluginInstance> instances) {
        Set<String> names = new TreeSet<>();
        for (PluginInstance instance : instances) {
            PluginController can = instance.ControllerInfo();
            if (can == null) {
                continue;
            }
            add(names, can.SupportsCreateDelete(), "CREATE_DELETE_VOLUME");
            add(names, can.SupportsAttachDetach(), "CONTROLLER_ATTACH_DETACH");
            add(names, can.SupportsListVolumes(), "LIST_VOLUMES");
            add(names, can.SupportsGetCapacity(), "GET_CAPACITY");
            add(names, can.SupportsCreateDeleteSnapshot(), "CREATE_DELETE_SNAPSHOT");
            add(names, can.SupportsListSnapshots(), "LIST_SNAPSHOTS");
            add(names, can.SupportsClone(), "CLONE_VOLUME");
            add(names, can.SupportsReadOnlyAttach(), "ATTACH_READONLY");
            add(names, can.SupportsExpand(), "EXPAND_VOLUME");
            add(names, can.SupportsListVolumesAttachedNodes(), "LIST_VOLUMES_PUBLISHED_NODES");
            add(names, can.SupportsCondition(), "VOLUME_CONDITION");
            add(names, can.SupportsGet(), "GET_VOLUME");
        }
        return names;
    }

    /** What the node service of any instance can do, one per line. */
    static Set<String> nodeCapabilities(Collection<PluginInstance> instances) {
        Set<String> names = new TreeSet<>();
        for (PluginInstance instance : instances) {
            add(names, instance.RequiresTopologies(), "VOLUME_ACCESSIBILITY_CONSTRAINTS");
            PluginNode can = instance.NodeInfo();
            if (can == null) {
                continue;
            }
            add(names, can.RequiresNodeStageVolume(), "STAGE_UNSTAGE_VOLUME");
            add(names, can.SupportsStats(), "GET_VOLUME_STATS");
            add(names, can.SupportsExpand(), "EXPAND_VOLUME");
            add(names, can.SupportsCondition(), "VOLUME_CONDITION");
        }
        return names;
    }

    private static void add(Set<String> names, boolean supported, String name) {
        if (supported) {
            names.add(name);
        }
    }

    /** Where each node can reach volumes; empty when no node says. */
    static String topologies(Map<String, PluginInstance> nodes, boolean verbose) {
        Columns columns = new Columns("Node ID", "Accessible Topology");
        new TreeMap<>(nodes).forEach((node, instance) -> {
            PluginNode info = instance.NodeInfo();
            CsiTopology reached = info == null ? null : info.AccessibleTopology();
            if (reached != null) {
                columns.row(Human.id(node, verbose), VolumeView.segments(reached.Segments()));
            }
        });
        return columns.isEmpty() ? "" : columns.text();
    }
}
