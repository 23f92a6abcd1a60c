package io.cleat.agent.alloc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.agent.task.TestTasks;
import io.cleat.driver.ExitResult;
import io.cleat.model.ClientStatus;
import io.cleat.model.DesiredStatus;
import io.cleat.model.JobSpec;
import io.cleat.model.JobType;
import io.cleat.model.Task;
import io.cleat.model.TaskEvent;
import io.cleat.model.TaskState;
import io.cleat.wire.ToServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** An allocation that may run for some time only. */
final class RunTimeTest extends AgentFixture {
    private void assign(Duration most, Task... tasks) throws InterruptedException {
        allocations.assign(1, List.of(assignment(DesiredStatus.RUN, Map.of(), limited(most, tasks))));
    }

    private static JobSpec limited(Duration most, Task... tasks) {
        JobSpec job = TestTasks.job(JobType.BATCH, Map.of(), tasks);
        return job.withGroups(List.of(job.groups().getFirst().runningAtMost(most)));
    }

    private static TaskEvent exceeded(ToServer.AllocReport report) {
        return state(report, "t").events().stream()
                .filter(event -> event.type().equals("Max Run Duration Exceeded"))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void longerThanItMay_itsTasksEndAndItFails_withWhatToSet() throws Exception {
        start();
        assign(Duration.ofMillis(200), TestTasks.task("t", 5, null));
        ToServer.AllocReport report = awaitReport(r -> r.status() == ClientStatus.FAILED);
        assertEquals(TaskState.Phase.DEAD, state(report, "t").phase());
        assertEquals(0, state(report, "t").restarts());
        assertTrue(
                exceeded(report).message().contains("the max_run_duration of group \"g\""),
                exceeded(report).message());
        assertEquals(report.description(), exceeded(report).message());
    }

    /** The time that passed while nobody looked counts. */
    @Test
    void anAgentDiesMeanwhile_theNextEndsItAtItsTime() throws Exception {
        start();
        assign(Duration.ofSeconds(2), TestTasks.task("t", 5, null));
        ToServer.AllocReport before =
                awaitReport(r -> r.tasks().get("t") != null && state(r, "t").phase() == TaskState.Phase.RUNNING);
        restart();
        ToServer.AllocReport report = awaitReport(r -> r.status() == ClientStatus.FAILED);
        assertEquals(state(before, "t").startedAt(), state(report, "t").startedAt(), "it was taken over");
        assertEquals(0, state(report, "t").restarts());
        exceeded(report);
    }

    /** Else what fails again and again would run for ever. */
    @Test
    void aTaskThatIsStartedAgain_hasNoMoreTimeForIt() throws Exception {
        start();
        assign(Duration.ofSeconds(1), TestTasks.task("t", 1000, null));
        for (int n = 1; n <= 3; n++) {
            String run = driver.awaitStart("t", n);
            driver.end(run, new ExitResult(1, 0, false));
        }
        restart();
        ToServer.AllocReport report = awaitReport(r -> r.status() == ClientStatus.FAILED);
        exceeded(report);
    }

    @Test
    void whatEndsBefore_isComplete() throws Exception {
        start();
        assign(Duration.ofHours(1), TestTasks.task("t", 5, null));
        awaitReport(r -> r.tasks().get("t") != null && state(r, "t").phase() == TaskState.Phase.RUNNING);
        driver.end(driver.running().getFirst(), new ExitResult(0, 0, false));
        awaitReport(r -> r.status() == ClientStatus.COMPLETE);
    }
}
