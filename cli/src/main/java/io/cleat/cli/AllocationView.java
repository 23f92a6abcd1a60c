package io.cleat.cli;

import io.cleat.api.AllocStats;
import io.cleat.api.AllocatedPort;
import io.cleat.api.AllocatedResources;
import io.cleat.api.Allocation;
import io.cleat.api.Job;
import io.cleat.api.NetworkResource;
import io.cleat.api.NetworkStatus;
import io.cleat.api.TaskEvent;
import io.cleat.api.TaskGroup;
import io.cleat.api.TaskResources;
import io.cleat.api.TaskState;
import io.cleat.api.TaskStats;
import io.cleat.api.VolumeRequest;
import io.cleat.base.VisibleText;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One allocation as text. */
final class AllocationView {
    private AllocationView() {}

    /** Whether nothing of an allocation in {@code status} runs any more, or ever will. */
    static boolean isOver(String status) {
        return switch (status) {
            case "complete", "failed", "lost" -> true;
            default -> false;
        };
    }

    static String summary(Allocation one, boolean verbose, Instant now) {
        Rows rows = new Rows()
                .put("ID", one.ID())
                .put("Eval ID", Human.id(one.EvalID(), verbose))
                .put("Name", one.Name())
                .put("Node ID", Human.id(one.NodeID(), verbose))
                .put("Node Name", one.NodeName())
                .put("Job ID", one.JobID())
                .put("Job Version", version(one.Job()))
                .put("Client Status", one.ClientStatus())
                .put("Client Description", one.ClientDescription())
                .put("Desired Status", one.DesiredStatus())
                .put("Desired Description", one.DesiredDescription())
                .put("Created", Human.ago(one.CreateTime(), now))
                .put("Modified", Human.ago(one.ModifyTime(), now));
        if (!one.DeploymentID().isEmpty()) {
            rows.put("Deployment ID", Human.id(one.DeploymentID(), verbose));
            rows.put("Deployment Health", health(one));
        }
        rows.putUnlessEmpty("Network Address", ownAddress(one.NetworkStatus()));
        rows.putUnlessEmpty("Replacement Alloc ID", Human.id(one.NextAllocation(), verbose));
        rows.putUnlessEmpty("Previous Alloc ID", Human.id(one.PreviousAllocation(), verbose));
        return rows.text();
    }

    /** Where it is in a network of its own; empty if it has none. */
    private static String ownAddress(@Nullable NetworkStatus network) {
        if (network == null || network.Address().isEmpty()) {
            return "";
        }
        boolean hasBoth =
                !network.AddressIPv6().isEmpty() && !network.AddressIPv6().equals(network.Address());
        return network.Address() + (hasBoth ? ", " + network.AddressIPv6() : "") + " (" + network.InterfaceName() + ")";
    }

    /** Where the ports are that it was given; empty if it was given none. */
    static String addresses(Allocation one) {
        AllocatedResources given = one.AllocatedResources();
        List<AllocatedPort> ports = given == null ? null : given.Shared().Ports();
        if (given == null || ports == null) {
            return "";
        }
        List<NetworkResource> networks =
                given.Shared().Networks() == null ? List.of() : given.Shared().Networks();
        Set<String> fixed = new TreeSet<>();
        networks.stream()
                .flatMap(each -> Stream.ofNullable(each.ReservedPorts()))
                .forEach(reserved -> reserved.forEach(port -> fixed.add(port.Label())));
        Columns columns = new Columns("Label", "Dynamic", "Address");
        for (AllocatedPort port : ports) {
            String host = port.HostIP().contains(":") ? "[" + port.HostIP() + "]" : port.HostIP();
            columns.row(
                    "*" + port.Label(),
                    fixed.contains(port.Label()) ? "no" : "yes",
                    host + ":" + port.Value() + (port.To() > 0 ? " -> " + port.To() : ""));
        }
        String mode = networks.isEmpty() ? "host" : networks.getFirst().Mode();
        return VisibleText.line("Allocation Addresses (mode = \"" + mode + "\"):") + "\n" + columns.text();
    }

    private static String version(@Nullable Job job) {
        return job == null || job.Version() == null ? "" : job.Version().toString();
    }

    private static String health(Allocation one) {
        if (one.DeploymentStatus() == null || one.DeploymentStatus().Healthy() == null) {
            return "unset";
        }
        return one.DeploymentStatus().Healthy() ? "healthy" : "unhealthy";
    }

    /** A task's state and what it was given, beside what it uses when that is known. */
    static String task(String name, TaskState state, Allocation allocation, @Nullable AllocStats stats) {
        String title = VisibleText.line("Task \"%s\" is \"%s\"".formatted(name, state.State()));
        AllocatedResources given = allocation.AllocatedResources();
        TaskResources task = given == null ? null : given.Tasks().get(name);
        if (given == null || task == null) {
            return title;
        }
        TaskStats used = stats == null ? null : stats.Tasks().get(name);
        String cpu = task.Cpu().CpuShares() + " MHz";
        String memory = Human.bytes(task.Memory().MemoryMB() << 20);
        if (used != null) {
            var usage = used.ResourceUsage();
            cpu = Math.round(usage.CpuStats().TotalTicks()) + "/" + cpu;
            long bytes = usage.MemoryStats().RSS() > 0
                    ? usage.MemoryStats().RSS()
                    : usage.MemoryStats().Usage();
            memory = Human.bytes(bytes) + "/" + memory;
        }
        return title
                + "\nTask Resources:\n"
                + new Columns("CPU", "Memory", "Disk")
                        .row(cpu, memory, Human.bytes(given.Shared().DiskMB() << 20))
                        .text();
    }

    /** The volumes of a type that a task mounts, by request name; empty when there are none. */
    static String volumes(Allocation allocation, String task, String type) {
        Columns columns = new Columns("ID", "Read Only");
        mounted(allocation, task, type)
                .forEach((name, request) -> columns.row(name, Boolean.toString(request.ReadOnly())));
        return columns.isEmpty() ? "" : columns.text();
    }

    /** The requests of the group that {@code task} mounts, for volumes of that type. */
    static Map<String, VolumeRequest> mounted(Allocation allocation, String task, String type) {
        Map<String, VolumeRequest> mounted = new TreeMap<>();
        Optional<TaskGroup> group = group(allocation);
        Map<String, VolumeRequest> requests = group.map(TaskGroup::Volumes).orElse(Map.of());
        group.map(TaskGroup::Tasks).orElse(List.of()).stream()
                .filter(one -> one.Name().equals(task) && one.VolumeMounts() != null)
                .flatMap(one -> one.VolumeMounts().stream())
                .forEach(mount -> {
                    String alias = mount.Volume() == null ? "" : mount.Volume();
                    VolumeRequest request = requests.get(alias);
                    if (request != null && request.Type().equals(type)) {
                        mounted.put(alias, request);
                    }
                });
        return mounted;
    }

    /** The ids of the CSI volumes that the group asks for, in the allocation's namespace. */
    static Set<String> claimed(Allocation allocation) {
        return group(allocation).map(TaskGroup::Volumes).orElse(Map.of()).values().stream()
                .filter(request -> request.Type().equals("csi"))
                .map(request -> volumeId(allocation, request))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    static String volumeId(Allocation allocation, VolumeRequest request) {
        String name = allocation.Name();
        return request.PerAlloc() ? request.Source() + name.substring(name.lastIndexOf('[')) : request.Source();
    }

    private static Optional<TaskGroup> group(Allocation allocation) {
        Job job = allocation.Job();
        return job == null || job.TaskGroups() == null
                ? Optional.empty()
                : job.TaskGroups().stream()
                        .filter(one -> one.Name().equals(allocation.TaskGroup()))
                        .findFirst();
    }

    /** A task's times, then its last events, newest first. */
    static String events(TaskState state, ZoneId zone) {
        StringBuilder text = new StringBuilder("Task Events:\n")
                .append(new Rows()
                        .put("Started At", time(state.StartedAt(), zone))
                        .put("Finished At", time(state.FinishedAt(), zone))
                        .put("Total Restarts", state.Restarts())
                        .put("Last Restart", time(state.LastRestart(), zone))
                        .text());
        List<TaskEvent> events = state.Events() == null ? List.of() : state.Events();
        if (!events.isEmpty()) {
            Columns columns = new Columns("Time", "Type", "Description");
            for (TaskEvent event : events.reversed()) {
                columns.row(Human.time(event.Time(), zone), event.Type(), event.DisplayMessage());
            }
            text.append("\n\nRecent Events:\n").append(columns.text());
        }
        return text.toString();
    }

    private static String time(@Nullable Instant moment, ZoneId zone) {
        return moment == null ? "N/A" : Human.time(moment, zone);
    }

    /** How the scheduler chose; for {@code -verbose}. */
    static String placement(Allocation one, boolean verbose) {
        if (one.Metrics() == null) {
            return "";
        }
        String scores = MetricView.scores(one.Metrics(), verbose);
        return String.format(
                Locale.ROOT,
                "Placement Metrics\n  * %d nodes evaluated, %d filtered, %d exhausted%s",
                one.Metrics().NodesEvaluated(),
                one.Metrics().NodesFiltered(),
                one.Metrics().NodesExhausted(),
                scores.isEmpty() ? "" : "\n\n" + scores);
    }
}
