package io.cleat.views;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.cleat.model.JobSpec;
import io.cleat.model.Resources;
import io.cleat.model.Task;
import io.cleat.model.TaskGroup;
import io.cleat.testkit.FullJob;
import java.util.List;
import org.junit.jupiter.api.Test;

class JobTextTest {
    /** A hook became a main task, because its place was not copied. */
    @Test
    void keepingTheResourcesOfATaskChangesNothingElseOfIt() {
        JobSpec given = FullJob.specOfVersion2();
        TaskGroup group = given.groups().getFirst();
        Resources now = new Resources(7, 77, 0);
        JobSpec stored =
                FullJob.with(
                        given,
                        group.tasks().stream()
                                .map(task -> task.edit().resources(now).done())
                                .toList());
        List<Task> kept =
                JobText.preserving(given, stored, false, true).groups().getFirst().tasks();
        assertEquals(stored.groups().getFirst().tasks(), kept);
        assertEquals(group.tasks().getLast().lifecycle(), kept.getLast().lifecycle());
    }
}
