package io.cleat.server.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.cleat.model.JobSpec;
import io.cleat.model.JobType;
import io.cleat.model.Resources;
import io.cleat.model.TaskGroup;
import io.cleat.server.FactsDraft;
import io.cleat.server.decide.Cluster;
import io.cleat.server.vault.NoSecrets;
import io.cleat.state.AllocationRow;
import io.cleat.state.Change;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a node is told of the cores that its tasks were given. */
final class GivenCoresTest {
    private final Cluster cluster = new Cluster();

    private JobSpec told(JobSpec job) {
        cluster.level = Change.SCALING_LEVEL;
        cluster.register(FactsDraft.of(cluster.facts("n1", "boot-1"))
                .total(new Resources(0, 2000, 0).on(List.of(3, 5), 2000))
                .done());
        cluster.run(job);
        AllocationRow row = cluster.allocation("a");
        return new AssignmentView(cluster.state(), "n1")
                .assignment(row, new NoSecrets())
                .job();
    }

    @Test
    void aTaskThatWantsCores_isToldWithThoseOfItsAllocation() {
        JobSpec job = Cluster.job("a", JobType.SERVICE, 1);
        TaskGroup group = job.groups().getFirst();
        JobSpec wanting = job.withGroups(List.of(group.withTasks(group.tasks().stream()
                .map(task -> task.edit()
                        .resources(new Resources(0, 50, 0, 1, List.of()))
                        .done())
                .toList())));
        assertEquals(
                new Resources(1000, 50, 0, 1, List.of(3)),
                told(wanting).groups().getFirst().tasks().getFirst().resources());
    }

    @Test
    void aJobWithoutCores_isToldAsItIsStored() {
        JobSpec told = told(Cluster.job("a", JobType.SERVICE, 1));
        assertSame(cluster.state().job(Cluster.jobId("a")).orElseThrow().spec(), told);
    }
}
