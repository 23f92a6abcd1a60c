package io.cleat.server.decide;

import io.cleat.model.AllocatedPort;
import io.cleat.model.NodeFacts;
import io.cleat.model.Resources;
import io.cleat.model.TaskGroup;
import io.cleat.schedule.Cores;
import io.cleat.schedule.NodePorts;
import io.cleat.schedule.Plan;
import io.cleat.schedule.Proposed;
import io.cleat.schedule.Rescheduling;
import io.cleat.state.AllocationRow;
import io.cleat.state.Change;
import io.cleat.state.EvaluationRow;
import io.cleat.state.JobRow;
import io.cleat.state.JobVersionId;
import io.cleat.state.JobVersionRow;
import io.cleat.state.NodeRow;
import io.cleat.state.NodeUse;
import io.cleat.state.RescheduleEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Placements of one plan, each looked at again on the newest image and made. */
final class Placements {
    private final Work work;
    private final Optional<JobRow> job;
    private final EvaluationRow evaluation;
    private final Set<String> stopped;

    Placements(Work work, Optional<JobRow> job, EvaluationRow evaluation, Plan plan) {
        this.work = work;
        this.job = job;
        this.evaluation = evaluation;
        this.stopped = plan.stops().stream().map(Plan.Stop::allocId).collect(Collectors.toSet());
    }

    /**
     * Makes the allocation and its claims.
     *
     * @return why it does not fit any more; the decision is then to be dropped
     */
    Optional<String> place(Plan.Placement placement) {
        if (job.isEmpty() || job.get().stop()) {
            return Optional.of("the job is not wanted any more");
        }
        Long olderVersion = placement.olderVersion();
        Optional<JobVersionRow> jobVersion = work.state()
                .jobVersion(
                        olderVersion == null
                                ? job.get().current()
                                : new JobVersionId(job.get().id(), olderVersion));
        if (jobVersion.isEmpty()) {
            return Optional.of("the job's older version is gone");
        }
        Optional<TaskGroup> group = jobVersion.get().spec().group(placement.group());
        if (group.isEmpty()) {
            return Optional.of("the job has no group " + placement.group());
        }
        if (work.state().allocation(placement.allocId()).isPresent()) {
            return Optional.of("the allocation " + placement.allocId() + " is there already");
        }
        Optional<NodeRow> node = work.state().node(placement.nodeId());
        if (node.isEmpty() || !node.get().isSchedulable()) {
            return Optional.of("the node takes nothing new");
        }
        Optional<String> noRoom = room(node.get(), group.get());
        if (noRoom.isPresent()) {
            return noRoom;
        }
        NodePorts.Answer ports = ports(node.get(), group.get(), placement.allocId());
        if (ports instanceof NodePorts.Answer.Refused(var _, String holder)) {
            return Optional.of("it would need " + holder);
        }
        AllocationRow row =
                row(jobVersion.get(), placement, group.get(), node.get(), ((NodePorts.Answer.Given) ports).ports());
        Optional<AllocationRow> previous = work.state().allocation(placement.previous());
        previous.ifPresent(old -> work.add(new Change.AllocationPut(old.next(row.id()))));
        work.add(new Change.AllocationPut(row));
        Deployments.placed(work, row.deploymentId(), group.get().name());
        return Claims.claim(work, group.get(), row).or(() -> KeptVolumes.take(work, group.get(), row));
    }

    /** Whether its node has room for it now: what would make room may be left for a later part. */
    boolean hasRoom(Plan.Placement placement) {
        Long older = placement.olderVersion();
        Optional<TaskGroup> group = job.map(row -> older == null ? row.current() : new JobVersionId(row.id(), older))
                .flatMap(work.state()::jobVersion)
                .flatMap(jobVersion -> jobVersion.spec().group(placement.group()));
        Optional<NodeRow> node = work.state().node(placement.nodeId());
        return group.isEmpty()
                || node.isEmpty()
                || (room(node.get(), group.get()).isEmpty()
                        && ports(node.get(), group.get(), placement.allocId()) instanceof NodePorts.Answer.Given);
    }

    private NodePorts.Answer ports(NodeRow node, TaskGroup group, String allocId) {
        if (group.network() == null || group.network().ports().isEmpty()) {
            return new NodePorts.Answer.Given(List.of());
        }
        NodePorts ports = new NodePorts(node);
        users(node).forEach(ports::take);
        return ports.give(group.network(), allocId);
    }

    /** What the plan stops makes room for what replaces it. */
    private List<AllocationRow> users(NodeRow node) {
        return work.state().openAllocationsOnNode(node.id()).stream()
                .filter(there -> !makesRoom(there))
                .toList();
    }

    private boolean makesRoom(AllocationRow row) {
        return !Proposed.uses(row, evaluation.job()) || stopped.contains(row.id());
    }

    private NodeUse used(NodeRow node) {
        NodeUse used = work.state().use(node.id());
        for (AllocationRow there : work.state().openAllocationsOnNode(node.id())) {
            if (makesRoom(there)) {
                used = used.minus(there);
            }
        }
        return used;
    }

    private Optional<String> room(NodeRow node, TaskGroup group) {
        Resources wanted = Cores.wanted(node.facts(), group);
        int free = Cores.of(work.state(), node.facts()).free();
        if (wanted.cores() > free) {
            return Optional.of("it would need " + wanted.cores() + " cores, and " + free + " are free");
        }
        NodeUse used = used(node).plus(wanted, group.disk().sizeMb());
        NodeFacts facts = node.facts();
        boolean fits = used.cpuMhz() <= facts.total().cpuMhz()
                && used.memoryMb() <= facts.total().memoryMb()
                && used.diskMb() <= facts.diskMb();
        return fits
                ? Optional.empty()
                : Optional.of("it would need "
                        + used.cpuMhz()
                        + " of "
                        + facts.total().cpuMhz()
                        + " MHz, "
                        + used.memoryMb()
                        + " of "
                        + facts.total().memoryMb()
                        + " MiB memory, "
                        + used.diskMb()
                        + " of "
                        + facts.diskMb()
                        + " MiB disk");
    }

    private AllocationRow row(
            JobVersionRow wanted, Plan.Placement placement, TaskGroup group, NodeRow node, List<AllocatedPort> ports) {
        Map<String, Resources> resources = Cores.of(work.state(), node.facts()).given(group);
        List<RescheduleEvent> reschedules = new ArrayList<>();
        work.state().allocation(placement.previous()).ifPresent(previous -> {
            reschedules.addAll(previous.lineage().reschedules());
            if (placement.rescheduled()) {
                reschedules.add(new RescheduleEvent(work.now(), previous.id(), previous.nodeId(), placement.waited()));
            }
        });
        return new AllocationRow(
                new AllocationRow.Identity(
                        placement.allocId(), placement.name(), placement.index(), wanted.job(), group.name()),
                new AllocationRow.ByVersion(wanted.number(), wanted.createVersion(), List.of()),
                new AllocationRow.Placed(
                        node.id(), node.name(), resources, group.disk().sizeMb(), ports, placement.metric()),
                AllocationRow.Wanted.TO_RUN,
                AllocationRow.Seen.NOTHING,
                new AllocationRow.Lineage(
                        placement.previous(), "", evaluation.id(), "", Rescheduling.kept(reschedules)),
                placement.deployment(),
                AllocationRow.Stamps.at(work.now()));
    }
}
