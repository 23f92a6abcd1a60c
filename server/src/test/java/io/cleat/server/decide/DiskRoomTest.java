package io.cleat.server.decide;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.cleat.model.ClientStatus;
import io.cleat.model.EphemeralDisk;
import io.cleat.model.JobSpec;
import io.cleat.model.JobType;
import io.cleat.model.TaskGroup;
import io.cleat.state.AllocationRow;
import io.cleat.state.EvaluationRow;
import io.cleat.state.EvaluationStatus;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Allocations that want disk of their node, which has 10,000 MiB. Situation -> answer. */
final class DiskRoomTest {
    private final Cluster cluster = new Cluster();

    private static JobSpec job(String id, int count, long diskMb) {
        JobSpec job = Cluster.job(id, JobType.SERVICE, count);
        TaskGroup group = job.groups().getFirst();
        return job.withGroups(List.of(new TaskGroup(
                group.name(),
                count,
                group.meta(),
                group.constraints(),
                group.volumes(),
                group.restart(),
                group.reschedule(),
                group.migrate(),
                group.update(),
                new EphemeralDisk(diskMb, false, false),
                group.shutdownDelay(),
                group.tasks())));
    }

    private long running(String id) {
        return cluster.state().allocationsOfJob(Cluster.jobId(id)).stream()
                .filter(row -> !row.isTerminal())
                .count();
    }

    @Test
    void moreThanThereIs_theDimensionIsNamed_andWhatWaitsIsPlacedOnceOneEnds() {
        cluster.node("n1");
        cluster.run(job("a", 1, 6000));
        AllocationRow first = cluster.allocation("a");
        cluster.run(job("b", 1, 6000));
        assertEquals(0, running("b"));
        EvaluationRow blocked =
                cluster.state().evaluations().in(EvaluationStatus.BLOCKED).getFirst();
        assertEquals(
                Map.of("disk", 1),
                requireNonNull(blocked.outcome().failedGroups().get("g")).dimensionExhausted());
        cluster.stop("a");
        cluster.ends(first, ClientStatus.COMPLETE);
        assertEquals(1, running("b"));
    }
}
