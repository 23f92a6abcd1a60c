package io.cleat.cli;

import io.cleat.api.Allocation;
import io.cleat.api.CsiVolumeStub;
import io.cleat.api.Job;
import io.cleat.api.Node;
import io.cleat.api.NodeDriver;
import io.cleat.api.NodeEvent;
import io.cleat.api.NodeResources;
import io.cleat.api.NodeStub;
import io.cleat.api.VolumeRequest;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Nodes as text. */
final class NodeView {
    private NodeView() {}

    static String list(List<NodeStub> nodes, boolean verbose) {
        Columns columns = verbose
                ? new Columns(
                        "ID",
                        "Node Pool",
                        "DC",
                        "Name",
                        "Class",
                        "Address",
                        "Version",
                        "Drain",
                        "Eligibility",
                        "Status")
                : new Columns("ID", "Node Pool", "DC", "Name", "Class", "Drain", "Eligibility", "Status");
        nodes.stream()
                .sorted(Comparator.comparing(NodeStub::Name).thenComparing(NodeStub::ID))
                .forEach(one -> {
                    List<String> cells = new ArrayList<>();
                    cells.add(Human.id(one.ID(), verbose));
                    cells.add(one.NodePool());
                    cells.add(one.Datacenter());
                    cells.add(one.Name());
                    cells.add(one.NodeClass());
                    if (verbose) {
                        cells.add(one.Address());
                        cells.add(one.Version());
                    }
                    cells.add(Boolean.toString(one.Drain()));
                    cells.add(one.SchedulingEligibility());
                    cells.add(status(one.Status(), one.StatusDescription(), verbose));
                    columns.row(cells.toArray(String[]::new));
                });
        return columns.text();
    }

    /** @param held the volumes that a node holds which is not heard */
    static String summary(
            Node node, List<Allocation> allocations, List<CsiVolumeStub> held, String uptime, boolean verbose) {
        Collection<String> volumes = volumes(allocations);
        held.forEach(volume -> volumes.add(volume.ID()));
        return new Rows()
                .put("ID", Human.id(node.ID(), verbose))
                .put("Name", node.Name())
                .put("Node Pool", node.NodePool())
                .put("Class", node.NodeClass())
                .put("DC", node.Datacenter())
                .put("Drain", node.Drain())
                .put("Eligibility", node.SchedulingEligibility())
                .put("Status", status(node.Status(), node.StatusDescription(), true))
                .put("CSI Controllers", names(node.CSIControllerPlugins().keySet()))
                .put("CSI Drivers", names(node.CSINodePlugins().keySet()))
                .putUnlessEmpty("Uptime", uptime)
                .put("Host Volumes", names(names(node.HostVolumes())))
                .putUnlessEmpty("Host Plugins", hostPlugins(node))
                .put("CSI Volumes", names(volumes))
                .put("Driver Status", drivers(node.Drivers()))
                .text();
    }

    /**
     * How a node is, and whether it is quarantined.
     *
     * @param why whether to say for what
     */
    private static String status(String status, String description, boolean why) {
        if (!description.startsWith(Node.QUARANTINED)) {
            return status;
        }
        return status + " (" + (why ? description : "quarantined") + ")";
    }

    /** What makes host volumes there, with its version, where it is more than each node has. */
    private static String hostPlugins(Node node) {
        Map<String, String> versions = node.hostVolumePlugins();
        return versions.size() < 2
                ? ""
                : versions.entrySet().stream()
                        .map(each -> each.getKey() + " " + each.getValue())
                        .collect(Collectors.joining(","));
    }

    private static Collection<String> names(@Nullable Map<String, ?> byName) {
        return byName == null ? List.of() : byName.keySet();
    }

    private static String names(Collection<String> names) {
        return String.join(",", new TreeSet<>(names));
    }

    private static String drivers(Map<String, NodeDriver> drivers) {
        TreeSet<String> names = new TreeSet<>();
        drivers.forEach((name, driver) -> {
            if (driver.Detected()) {
                names.add(driver.Healthy() ? name : name + " (unhealthy)");
            }
        });
        return String.join(",", names);
    }

    /** The request names of the volumes that running allocations use. */
    private static Collection<String> volumes(List<Allocation> allocations) {
        TreeSet<String> names = new TreeSet<>();
        for (Allocation allocation : allocations) {
            Job job = allocation.Job();
            if (!allocation.ClientStatus().equals("running") || job == null || job.TaskGroups() == null) {
                continue;
            }
            job.TaskGroups().stream()
                    .filter(group -> group.Name().equals(allocation.TaskGroup()))
                    .flatMap(group -> (group.Volumes() == null
                                    ? List.<VolumeRequest>of()
                                    : group.Volumes().values())
                            .stream())
                    .filter(request -> request.Type().equals("csi"))
                    .forEach(request -> names.add(request.Name()));
        }
        return names;
    }

    static String events(List<NodeEvent> events, boolean verbose, ZoneId zone) {
        Columns columns = verbose
                ? new Columns("Time", "Subsystem", "Message", "Details")
                : new Columns("Time", "Subsystem", "Message");
        for (NodeEvent event : events.reversed()) {
            String time = event.Timestamp() == null ? "" : Human.time(event.Timestamp(), zone);
            if (verbose) {
                columns.row(
                        time,
                        event.Subsystem(),
                        event.Message(),
                        event.Details() == null ? "" : VolumeView.segments(event.Details()));
            } else {
                columns.row(time, event.Subsystem(), event.Message());
            }
        }
        return columns.text();
    }

    /** What the allocations that are not over were given, of what the node has. */
    static String allocated(NodeResources has, List<Allocation> allocations) {
        long cpu = 0;
        long memory = 0;
        long disk = 0;
        for (Allocation allocation : allocations) {
            var given = allocation.AllocatedResources();
            if (given == null || AllocationView.isOver(allocation.ClientStatus())) {
                continue;
            }
            for (var task : given.Tasks().values()) {
                cpu += task.Cpu().CpuShares();
                memory += task.Memory().MemoryMB();
            }
            disk += given.Shared().DiskMB();
        }
        return new Columns("CPU", "Memory", "Disk")
                .row(
                        cpu + "/" + has.Cpu().CpuShares() + " MHz",
                        mib(memory) + "/" + mib(has.Memory().MemoryMB()),
                        mib(disk) + "/" + mib(has.Disk().DiskMB()))
                .text();
    }

    private static String mib(long mib) {
        return Human.bytes(mib << 20);
    }
}
