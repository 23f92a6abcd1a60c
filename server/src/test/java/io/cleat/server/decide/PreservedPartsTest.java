package io.cleat.server.decide;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.cleat.model.JobSpec;
import io.cleat.model.JobType;
import io.cleat.model.Resources;
import io.cleat.model.Task;
import io.cleat.model.TaskGroup;
import io.cleat.testkit.FullJob;
import java.util.List;
import org.junit.jupiter.api.Test;

final class PreservedPartsTest {
    /** A hook became a main task, because its place was not copied. */
    @Test
    void keepingTheResourcesOfATaskChangesNothingElseOfIt() {
        JobSpec given = FullJob.specOfVersion2();
        TaskGroup group = given.groups().getFirst();
        Resources now = new Resources(7, 77, 0);
        JobSpec stored = FullJob.with(
                given,
                group.tasks().stream()
                        .map(task -> task.edit().resources(now).done())
                        .toList());
        List<Task> kept = new PreservedParts(false, true)
                .of(given, stored)
                .groups()
                .getFirst()
                .tasks();
        assertEquals(stored.groups().getFirst().tasks(), kept);
        assertEquals(group.tasks().getLast().lifecycle(), kept.getLast().lifecycle());
    }

    /** Counted at the decision: what was scaled while the request was on its way stays. */
    @Test
    void theCountIsThatOfTheStoredJobWhenItIsDecided() {
        Cluster cluster = new Cluster();
        JobSpec two = Cluster.job("a", JobType.SERVICE, 2, null, "/bin/a");
        TaskGroup group = two.groups().getFirst();
        JobSpec five = two.withGroups(List.of(group.withCount(5)));
        PreservedParts counts = new PreservedParts(true, false);
        cluster.accept(new RegisterJob(two, null, null, 0, counts, cluster.id()));
        assertEquals(group.count(), count(cluster, two));
        cluster.accept(new RegisterJob(five, null, null, 0, cluster.id()));
        cluster.accept(new RegisterJob(two, null, null, 0, counts, cluster.id()));
        assertEquals(5, count(cluster, two));
        cluster.accept(new RegisterJob(two, null, null, 0, cluster.id()));
        assertEquals(group.count(), count(cluster, two));
    }

    private static int count(Cluster cluster, JobSpec job) {
        return cluster.state()
                .job(job.id())
                .orElseThrow()
                .spec()
                .groups()
                .getFirst()
                .count();
    }
}
