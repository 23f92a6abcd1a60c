package io.cleat.server.decide;

import io.cleat.base.Ordered;
import io.cleat.model.AllocAddress;
import io.cleat.model.AllocHealth;
import io.cleat.model.ClientStatus;
import io.cleat.model.DesiredStatus;
import io.cleat.model.TaskState;
import io.cleat.server.commit.DecideContext;
import io.cleat.server.commit.Decision;
import io.cleat.state.AllocationRow;
import io.cleat.state.Change;
import io.cleat.state.ClaimState;
import io.cleat.state.ClusterState;
import io.cleat.state.JobRow;
import io.cleat.state.Trigger;
import io.cleat.state.VolumeProgress;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A node says how allocations of it are. What it says of an allocation that is not its own, or not known, is passed
 * over.
 *
 * @param seed a fresh id
 */
public record ReportAllocations(String nodeId, List<Report> reports, String seed)
        implements Command<ReportAllocations.Reply> {
    public ReportAllocations {
        reports = List.copyOf(reports);
    }

    /**
     * How one allocation is.
     *
     * @param tasks by name
     * @param volumes by alias
     * @param health null until it is known, and where nobody asks
     * @param address in a network of its own; null if it has none, or none yet
     */
    public record Report(
            String allocId,
            ClientStatus status,
            String description,
            Map<String, TaskState> tasks,
            Map<String, VolumeProgress> volumes,
            @Nullable AllocHealth health,
            @Nullable AllocAddress address) {
        public Report {
            tasks = Ordered.copyOf(tasks);
            volumes = Ordered.copyOf(volumes);
        }
    }

    /** What is to be said yet, once the first so many are taken in. */
    public ReportAllocations after(int taken, String nextSeed) {
        return new ReportAllocations(nodeId, reports.subList(taken, reports.size()), nextSeed);
    }

    /** @param taken how many of the reports are taken in, from the first; the others are to be said again */
    public record Reply(int taken) {}

    @Override
    public Decision<Change, Reply> decide(ClusterState newest, DecideContext context) {
        Work work = new Work(newest, context);
        NewIds ids = new NewIds(seed);
        int taken = 0;
        boolean anyEnds = false;
        for (Report report : reports) {
            if (!work.hasRoom()) {
                break;
            }
            taken++;
            Optional<AllocationRow> own = newest.allocation(report.allocId())
                    .filter(row -> row.nodeId().equals(nodeId));
            anyEnds |= own.isPresent() && take(work, own.get(), report, ids);
        }
        if (anyEnds) {
            Wakes.forRoom(work);
        }
        return work.accept(new Reply(taken));
    }

    private static @Nullable AllocAddress kept(Work work, @Nullable AllocAddress reported) {
        if (reported == null || !work.reads(Change.ADDRESS_LEVEL)) {
            return null;
        }
        return work.reads(Change.DNS_LEVEL) ? reported : reported.withoutDns();
    }

    private static Map<String, TaskState> kept(Work work, Map<String, TaskState> reported) {
        if (work.reads(Change.DRIVER_NETWORK_LEVEL)) {
            return reported;
        }
        Map<String, TaskState> kept = new TreeMap<>();
        reported.forEach((task, state) -> kept.put(task, state.at(null)));
        return kept;
    }

    /** Whether the allocation ends with it. */
    private static boolean take(Work work, AllocationRow before, Report report, NewIds ids) {
        boolean moves = AllocationRow.LIFE.allows(before.status(), report.status());
        ClientStatus status = moves ? report.status() : before.status();
        AllocHealth health = health(before, report);
        AllocAddress address = kept(work, report.address());
        Map<String, TaskState> tasks = kept(work, report.tasks());
        String description = moves ? report.description() : before.seen().statusDescription();
        if (status != before.status()
                || !description.equals(before.seen().statusDescription())
                || !tasks.equals(before.seen().tasks())
                || !report.volumes().equals(before.seen().volumes())
                || !Objects.equals(health, before.seen().health())
                || !Objects.equals(address, before.seen().address())) {
            work.add(new Change.AllocationReported(
                    before.id(), status, description, tasks, report.volumes(), health, address));
        }
        if (health != null && !health.equals(before.seen().health())) {
            Deployments.healthKnown(work, before, health.healthy())
                    .ifPresent(row -> Deployments.evaluate(work, row, ids));
        }
        AllocationRow now = work.state().allocation(before.id()).orElse(before);
        boolean ends = now.isEnded() && !before.isEnded();
        if (ends) {
            Claims.release(work, now);
        }
        boolean endedByNode = report.status().isTerminal();
        Claims.free(
                work,
                work.state().claims().ofAllocation(now.id()).stream()
                        .filter(claim -> claim.state() == ClaimState.RELEASING)
                        .filter(claim -> Allocations.isLetGo(now, claim, endedByNode))
                        .toList());
        if (ends && now.desired() == DesiredStatus.RUN) {
            work.state().job(now.job()).ifPresent(job -> evaluate(work, job, now, ids));
        }
        return ends;
    }

    /** What is known of its health: the first word for the deployment that asks now counts. */
    private static @Nullable AllocHealth health(AllocationRow before, Report report) {
        AllocHealth said = report.health();
        return before.seen().health() == null
                        && said != null
                        && said.deploymentId().equals(before.deploymentId())
                ? said
                : before.seen().health();
    }

    private static void evaluate(Work work, JobRow job, AllocationRow ended, NewIds ids) {
        boolean isDone = job.spec().type().ends() && ended.status() == ClientStatus.COMPLETE;
        if (!job.stop() && !isDone) {
            Evaluations.evaluate(work, job, Trigger.ALLOC_FAILURE, "", ids);
        }
    }
}
