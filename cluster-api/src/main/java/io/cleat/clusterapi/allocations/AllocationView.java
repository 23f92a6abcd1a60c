package io.cleat.clusterapi.allocations;

import io.cleat.api.AllocDeploymentStatus;
import io.cleat.api.AllocatedCpu;
import io.cleat.api.AllocatedMemory;
import io.cleat.api.AllocatedResources;
import io.cleat.api.Allocation;
import io.cleat.api.AllocationStub;
import io.cleat.api.DesiredTransition;
import io.cleat.api.Job;
import io.cleat.api.Json;
import io.cleat.api.Lifecycle;
import io.cleat.api.Nanos;
import io.cleat.api.NetworkBlocks;
import io.cleat.api.NetworkDns;
import io.cleat.api.NetworkResource;
import io.cleat.api.NetworkStatus;
import io.cleat.api.RawJson;
import io.cleat.api.Resources;
import io.cleat.api.SharedResources;
import io.cleat.api.TaskResources;
import io.cleat.clusterapi.evaluations.MetricView;
import io.cleat.clusterapi.jobs.JobView;
import io.cleat.clusterapi.nodes.NetworkView;
import io.cleat.clusterapi.query.ListOfViews;
import io.cleat.model.AllocAddress;
import io.cleat.model.AllocHealth;
import io.cleat.model.GroupNetwork;
import io.cleat.model.Task;
import io.cleat.model.TaskGroup;
import io.cleat.model.TaskLifecycle;
import io.cleat.state.AllocationRow;
import io.cleat.state.ClusterState;
import io.cleat.state.JobVersionRow;
import io.cleat.state.RescheduleEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Allocations: whole, and as a list shows them. */
public final class AllocationView {
    private AllocationView() {}

    static AllocationStub stub(ClusterState state, AllocationRow row) {
        return stub(state, row, false, true);
    }

    static AllocationStub stub(ClusterState state, AllocationRow row, boolean resources, boolean taskStates) {
        return stub(
                InList.of(state, row),
                resources ? allocated(state, row, NetworkView.ofAllocation(state, row)) : null,
                taskStates);
    }

    private static AllocationStub stub(InList shown, @Nullable AllocatedResources resources, boolean taskStates) {
        AllocationRow row = shown.row();
        return new AllocationStub(
                resources,
                row.seen().statusDescription(),
                row.status().wire(),
                row.createVersion(),
                Nanos.of(row.stamps().createdAt()),
                deployment(row, shown.unpromoted()),
                row.wanted().desiredDescription(),
                row.desired().wire(),
                new DesiredTransition(
                        null,
                        row.wanted().migrates() ? true : null,
                        null,
                        row.wanted().noShutdownDelay() ? true : null,
                        null),
                row.lineage().evalId(),
                row.lineage().followupEval(),
                row.id(),
                row.job().id(),
                shown.jobType(),
                row.byVersion().jobNumber(),
                row.modifyVersion(),
                Nanos.of(row.stamps().modifiedAt()),
                row.name(),
                row.job().namespace(),
                row.lineage().next(),
                row.nodeId(),
                row.placed().nodeName(),
                null,
                "",
                reschedules(row.lineage().reschedules()),
                row.group(),
                taskStates && !row.seen().tasks().isEmpty()
                        ? TaskView.states(row.seen().tasks())
                        : null);
    }

    public static List<AllocationStub> stubs(ClusterState state, List<AllocationRow> rows) {
        return new ListOfViews<>(rows, row -> stub(state, row));
    }

    public static List<AllocationStub> stubs(List<InList> shown) {
        return new ListOfViews<>(shown, each -> stub(each, null, true));
    }

    /** All that a list shows of an allocation, which is equal where it shows the same. */
    public record InList(AllocationRow row, String jobType, boolean unpromoted) {
        public static InList of(ClusterState state, AllocationRow row) {
            return new InList(
                    row,
                    state.jobVersion(row.jobVersion())
                            .map(jobVersion -> jobVersion.spec().type().wire())
                            .orElse(""),
                    state.deployments().isUnpromoted(row));
        }
    }

    /**
     * What is shown of an allocation that is not in its row.
     *
     * @param jobVersionModified the version that last changed what its job's version says; 0 where that is not known
     */
    record Beside(
            long jobVersionModified,
            JobView.@Nullable BesideVersion job,
            @Nullable List<NetworkResource> networks,
            boolean unpromoted) {}

    static Beside beside(ClusterState state, AllocationRow row) {
        Optional<JobVersionRow> jobVersion = state.jobVersion(row.jobVersion());
        return new Beside(
                jobVersion.map(JobVersionRow::modifyVersion).orElse(0L),
                jobVersion.map(found -> JobView.beside(state, found)).orElse(null),
                NetworkView.ofAllocation(state, row),
                state.deployments().isUnpromoted(row));
    }

    static Allocation whole(ClusterState state, AllocationRow row) {
        return whole(state, row, beside(state, row));
    }

    static Allocation whole(ClusterState state, AllocationRow row, Beside beside) {
        Job job = Optional.ofNullable(beside.job())
                .flatMap(ofJob ->
                        state.jobVersion(row.jobVersion()).map(jobVersion -> JobView.version(jobVersion, ofJob)))
                .orElse(null);
        return shown(state, row, beside.networks(), beside.unpromoted(), job);
    }

    /** As events show it. */
    public static Allocation withoutJob(ClusterState state, AllocationRow row) {
        return shown(
                state,
                row,
                NetworkView.ofAllocation(state, row),
                state.deployments().isUnpromoted(row),
                null);
    }

    private static Allocation shown(
            ClusterState state,
            AllocationRow row,
            @Nullable List<NetworkResource> shared,
            boolean unpromoted,
            @Nullable Job job) {
        io.cleat.model.Resources total = row.totalResources();
        Map<String, Resources> byTask = new TreeMap<>();
        RawJson networks = shared == null ? null : new RawJson(Json.toTree(shared));
        row.placed()
                .resources()
                .forEach((task, each) ->
                        byTask.put(task, resources(each.cpuMhz(), each.memoryMb(), each.memoryMaxMb(), 0, null)));
        return new Allocation(
                row.stamps().allocModifyVersion(),
                allocated(state, row, shared),
                row.seen().statusDescription(),
                row.status().wire(),
                row.createVersion(),
                Nanos.of(row.stamps().createdAt()),
                row.deploymentId(),
                deployment(row, unpromoted),
                row.wanted().desiredDescription(),
                row.desired().wire(),
                row.lineage().evalId(),
                row.lineage().followupEval(),
                row.id(),
                job,
                row.job().id(),
                MetricView.of(row.placed().metric()),
                row.modifyVersion(),
                Nanos.of(row.stamps().modifiedAt()),
                row.name(),
                row.job().namespace(),
                network(state, row),
                row.lineage().next(),
                row.nodeId(),
                row.placed().nodeName(),
                row.lineage().previous(),
                resources(
                        total.cpuMhz(),
                        total.memoryMb(),
                        total.memoryLimitMb(),
                        row.placed().diskMb(),
                        networks),
                resources(0, 0, 0, row.placed().diskMb(), networks),
                "",
                row.group(),
                byTask,
                row.seen().tasks().isEmpty() ? null : TaskView.states(row.seen().tasks()));
    }

    private static NetworkStatus network(ClusterState state, AllocationRow row) {
        AllocAddress address = row.seen().address();
        NetworkDns dns = state.jobVersion(row.jobVersion())
                .flatMap(jobVersion -> jobVersion.spec().group(row.group()))
                .map(TaskGroup::network)
                .map(GroupNetwork::dns)
                .or(() -> Optional.ofNullable(address).map(AllocAddress::dns))
                .map(NetworkBlocks.DNS::toWire)
                .orElse(null);
        return address == null
                ? new NetworkStatus("", "", dns, "")
                : new NetworkStatus(address.address(), address.addressIpv6(), dns, address.interfaceName());
    }

    /** Its part in a deployment, or what its node found of it without one. */
    private static @Nullable AllocDeploymentStatus deployment(AllocationRow row, boolean unpromoted) {
        AllocHealth health = row.seen().health();
        if (health == null && row.deployment() == null) {
            return null;
        }
        return new AllocDeploymentStatus(
                unpromoted,
                health == null ? null : health.healthy(),
                row.modifyVersion(),
                health == null ? null : health.at());
    }

    /** The place of each task in the life of its group; null for a main task. */
    private static Map<String, @Nullable RawJson> lifecycles(ClusterState state, AllocationRow row) {
        Map<String, @Nullable RawJson> lifecycles = new TreeMap<>();
        row.placed().resources().keySet().forEach(task -> lifecycles.put(task, null));
        state.jobVersion(row.jobVersion())
                .flatMap(jobVersion -> jobVersion.spec().group(row.group()))
                .ifPresent(group -> group.tasks().forEach(task -> lifecycles.put(task.name(), lifecycle(task))));
        return lifecycles;
    }

    private static @Nullable RawJson lifecycle(Task task) {
        TaskLifecycle lifecycle = task.lifecycle();
        return lifecycle == null
                ? null
                : new RawJson(Json.toTree(new Lifecycle(lifecycle.hook().wire(), lifecycle.sidecar())));
    }

    private static AllocatedResources allocated(
            ClusterState state, AllocationRow row, @Nullable List<NetworkResource> networks) {
        Map<String, TaskResources> tasks = new TreeMap<>();
        row.placed().resources().forEach((task, each) -> {
            tasks.put(
                    task,
                    new TaskResources(
                            new AllocatedCpu(each.cpuMhz(), each.coreIds().isEmpty() ? null : each.coreIds()),
                            null,
                            new AllocatedMemory(each.memoryMb(), each.memoryMaxMb()),
                            null));
        });
        return new AllocatedResources(
                new SharedResources(row.placed().diskMb(), networks, NetworkView.ports(row)),
                lifecycles(state, row),
                tasks);
    }

    private static Resources resources(long cpu, long memory, long memoryMax, long disk, @Nullable RawJson networks) {
        return new Resources((int) cpu, 0, null, (int) disk, 0, (int) memory, (int) memoryMax, null, networks, 0);
    }

    private static @Nullable RawJson reschedules(List<RescheduleEvent> events) {
        if (events.isEmpty()) {
            return null;
        }
        List<Map<String, Object>> list = new ArrayList<>();
        for (RescheduleEvent event : events) {
            Map<String, Object> fields = new TreeMap<>();
            fields.put("Delay", event.delay().toNanos());
            fields.put("PrevAllocID", event.previousAllocation());
            fields.put("PrevNodeID", event.previousNode());
            fields.put("RescheduleTime", Nanos.of(event.at()));
            list.add(fields);
        }
        return new RawJson(Json.toTree(Map.of("Events", list)));
    }
}
