package io.cleat.agent.alloc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.agent.task.TestTasks;
import io.cleat.base.Effect;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Retry;
import io.cleat.kernel.TreeMeasure;
import io.cleat.kernel.TreeSize;
import io.cleat.model.ClientStatus;
import io.cleat.model.DesiredStatus;
import io.cleat.model.EphemeralDisk;
import io.cleat.model.JobType;
import io.cleat.model.Task;
import io.cleat.model.TaskEvent;
import io.cleat.model.TaskLifecycle.Hook;
import io.cleat.model.TaskState;
import io.cleat.testkit.Eventually;
import io.cleat.wire.ToServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** An allocation whose directory becomes too large. */
final class DiskLimitTest extends AgentFixture {
    private volatile TreeSize size = TreeSize.NONE;
    private volatile boolean fails;
    private final AtomicInteger asked = new AtomicInteger();
    private long version;

    private void measure() throws Exception {
        measuring = Optional.of(this::look);
        start();
    }

    private TreeMeasure.Measured look(AllocationDirectory directory, EphemeralDisk limit) throws KernelTrouble {
        assertEquals(dir.resolve("alloc").resolve(ID), directory.root());
        assertEquals(300, limit.sizeMb());
        asked.incrementAndGet();
        if (fails) {
            throw new KernelTrouble("it hangs", Effect.NONE, Retry.SAME_CALL);
        }
        return new TreeMeasure.Measured(size, Duration.ZERO);
    }

    private void assign(Task... tasks) throws InterruptedException {
        allocations.assign(
                ++version,
                List.of(assignment(DesiredStatus.RUN, Map.of(), TestTasks.job(JobType.SERVICE, Map.of(), tasks))));
    }

    private static TaskEvent exceeded(ToServer.AllocReport report, String task) {
        return state(report, task).events().stream()
                .filter(event -> event.type().equals("Disk Resources Exceeded"))
                .findFirst()
                .orElseThrow();
    }

    private boolean isRunning(String task) {
        return allocations
                .report(ID)
                .map(report -> report.tasks().get(task))
                .filter(state -> state.phase() == TaskState.Phase.RUNNING)
                .isPresent();
    }

    @Test
    void allItsTasksEndAndItFails_withWhatWasUsedAndWhatToSet() throws Exception {
        measure();
        assign(TestTasks.task("t", 5, null), TestTasks.hook("side", Hook.PRESTART, true));
        awaitReport(report -> isRunning("t") && isRunning("side"));
        size = new TreeSize(901L << 19, 5, false);
        ToServer.AllocReport report = awaitReport(r -> r.status() == ClientStatus.FAILED);
        for (String task : List.of("t", "side")) {
            assertEquals(TaskState.Phase.DEAD, state(report, task).phase());
            assertEquals(0, state(report, task).restarts());
            TaskEvent event = exceeded(report, task);
            assertEquals(Long.toString(300L << 20), event.details().get("disk_limit"));
            assertTrue(event.message().contains("holds 450.5 MiB"), event.message());
            assertTrue(event.message().contains("has room for 300 MiB"), event.message());
            assertTrue(event.message().contains("ephemeral_disk { size = 902 }"), event.message());
        }
        assertEquals(report.description(), exceeded(report, "t").message());
    }

    @Test
    void soItDoesWithTooManyFiles() throws Exception {
        measure();
        size = new TreeSize(0, 100_001, false);
        assign(TestTasks.task("t", 0, null));
        ToServer.AllocReport report = awaitReport(r -> r.status() == ClientStatus.FAILED);
        String words = exceeded(report, "t").message();
        assertTrue(words.contains("100001 files and directories"), words);
        assertTrue(words.contains("room for 100000 of them"), words);
        assertTrue(words.contains("size = 782 }"), words);
    }

    @Test
    void asMuchAsItMayHoldIsNotTooMuch() throws Exception {
        measure();
        size = new TreeSize(300L << 20, 100_000, true);
        assign(TestTasks.task("t", 0, null));
        Eventually.holds(() -> asked.get() > 1, "a second measuring");
        assertTrue(isRunning("t"));
    }

    @Test
    void whereItCannotBeMeasuredNothingEnds() throws Exception {
        measure();
        fails = true;
        assign(TestTasks.task("t", 0, null));
        Eventually.holds(() -> asked.get() > 0, "a measuring");
        assertTrue(isRunning("t"));
    }

    /** Only a line in the agent's log said so. */
    @Test
    void whereItCannotBeMeasured_itsTasksAreTold() throws Exception {
        measure();
        fails = true;
        assign(TestTasks.task("t", 0, null));
        awaitReport(report -> unmeasured(report).equals(List.of("it hangs")));
        assertTrue(isRunning("t"));
    }

    private static List<String> unmeasured(ToServer.AllocReport report) {
        TaskState state = report.tasks().get("t");
        return state == null
                ? List.of()
                : state.events().stream()
                        .filter(event -> event.type().equals("Disk Not Measured"))
                        .map(event -> event.message().replaceFirst(".*: ", ""))
                        .toList();
    }

    @Test
    void anEndThatTheAgentDidNotLiveToSeeIsGoneOnWith() throws Exception {
        measure();
        assign(TestTasks.task("t", 0, null));
        awaitReport(report -> isRunning("t"));
        restart();
        awaitReport(report -> isRunning("t"));
        size = new TreeSize(Long.MAX_VALUE, Long.MAX_VALUE, false);
        ToServer.AllocReport report = awaitReport(r -> r.status() == ClientStatus.FAILED);
        assertFalse(report.description().isEmpty());
        restart();
        assertEquals(
                ClientStatus.FAILED,
                awaitReport(r -> r.status() == ClientStatus.FAILED).status());
    }
}
