package io.cleat.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.DriverTrouble;
import io.cleat.base.Effect;
import io.cleat.driver.ExitResult;
import io.cleat.driver.TaskConfig;
import io.cleat.driver.TaskDriver;
import io.cleat.driver.TaskHandle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What every task driver owes its caller; extended once per driver, the fake included. */
@Timeout(180)
public abstract class TaskDriverContract {
    private static final ExitResult TERMINATED = new ExitResult(143, 15, false);
    private static final ExitResult KILLED = new ExitResult(137, 9, false);

    private static final String ALLOCATION = "8c1b2d3e-0000-4000-8000-000000000001";

    private final List<TaskHandle> handles = new ArrayList<>();
    private int ids;

    /** The driver; after {@link #restart} another one over the same machine. */
    protected abstract TaskDriver driver();

    /** As if the agent had been killed and started again. */
    protected abstract void restart();

    /** A configuration with that block, for a task directory that exists. */
    protected abstract TaskConfig config(String id, Map<String, Object> block);

    /** The block of a task that ends at once with that code. */
    protected abstract Map<String, Object> exiting(int code);

    /** The block of a task that runs until a signal ends it. */
    protected abstract Map<String, Object> waiting();

    /** The block of a task that ignores SIGTERM. */
    protected abstract Map<String, Object> stubborn();

    /** Blocks until a stubborn task has begun to ignore signals. */
    protected abstract void awaitStubbornness(TaskHandle task) throws Exception;

    @AfterEach
    void destroyAll() throws Exception {
        for (TaskHandle handle : handles) {
            driver().destroy(handle);
        }
        nothingIsLeft();
    }

    /** Checks that nothing is left of tasks that were destroyed. */
    protected void nothingIsLeft() throws Exception {}

    /** Starts a task, which is destroyed at the end. */
    protected final TaskHandle started(Map<String, Object> block) throws Exception {
        return started(next(block));
    }

    /** Starts a task, which is destroyed at the end. */
    protected final TaskHandle started(TaskConfig config) throws Exception {
        TaskHandle handle = driver().start(config);
        handles.add(handle);
        return handle;
    }

    /** A configuration with that block and an id of its own. */
    protected final TaskConfig next(Map<String, Object> block) {
        ids++;
        return config(ALLOCATION + "/web/%08x".formatted(ids), block);
    }

    @Test
    void theExitCodeIsKnownAsOftenAsAsked() throws Exception {
        TaskHandle task = started(exiting(7));
        assertEquals(new ExitResult(7, 0, false), driver().await(task));
        assertEquals(new ExitResult(7, 0, false), driver().await(task));
        assertTrue(driver().await(started(exiting(0))).isSuccess());
    }

    @Test
    void whatRunsIsKnownByItsAllocationThoughNobodyRemembersIt() throws Exception {
        assertEquals(Set.of(), driver().allocations());
        TaskHandle task = started(waiting());
        driver().await(started(exiting(0)));
        restart();
        assertEquals(Set.of(ALLOCATION), driver().allocations());
        assertEquals(List.of(task), driver().live(ALLOCATION));
        assertEquals(List.of(), driver().live("8c1b2d3e"));
        driver().stop(task, "SIGKILL", Duration.ZERO);
        driver().await(task);
        assertEquals(Set.of(), driver().allocations());
    }

    @Test
    void theExitCodeIsKnownAfterARestart() throws Exception {
        TaskHandle task = started(exiting(7));
        driver().await(task);
        restart();
        assertEquals(new ExitResult(7, 0, false), driver().await(task));
    }

    @Test
    void aRunningTaskOutlivesTheAgentAndCanBeStoppedAfter() throws Exception {
        TaskHandle task = started(waiting());
        restart();
        driver().stop(task, "SIGTERM", Duration.ofSeconds(30));
        assertEquals(TERMINATED, driver().await(task));
    }

    @Test
    void aTaskIsFoundThoughItsHandleWasNeverStored() throws Exception {
        TaskConfig running = next(waiting());
        TaskConfig never = next(waiting());
        TaskHandle task = driver().start(running);
        handles.add(task);
        restart();
        assertEquals(Optional.of(task), driver().find(running));
        assertEquals(Optional.empty(), driver().find(never));
    }

    @Test
    void whatWasLookedForInVainCanStillBeStarted() throws Exception {
        TaskConfig config = next(exiting(3));
        assertEquals(Optional.empty(), driver().find(config));
        TaskHandle task = driver().start(config);
        handles.add(task);
        assertEquals(3, driver().await(task).exitCode());
    }

    @Test
    void anIdIsStartedOnce() throws Exception {
        TaskConfig config = next(waiting());
        handles.add(driver().start(config));
        DriverTrouble trouble = assertThrows(DriverTrouble.class, () -> driver().start(config));
        assertEquals(Effect.NONE, trouble.effect());
        assertTrue(driver().find(config).isPresent());
    }

    @Test
    void anEndedIdIsNotStartedAgainAndKeepsItsExitCode() throws Exception {
        TaskConfig config = next(exiting(9));
        TaskHandle task = driver().start(config);
        handles.add(task);
        driver().await(task);
        assertThrows(DriverTrouble.class, () -> driver().start(config));
        assertEquals(9, driver().await(task).exitCode());
    }

    @Test
    void aTaskThatIgnoresTheSignalIsKilledAtTheTimeout() throws Exception {
        TaskHandle task = started(stubborn());
        awaitStubbornness(task);
        driver().stop(task, "SIGTERM", Duration.ofMillis(100));
        assertEquals(KILLED, driver().await(task));
    }

    @Test
    void ofTwoStopsTheEarlierEndHolds() throws Exception {
        TaskHandle task = started(stubborn());
        awaitStubbornness(task);
        driver().stop(task, "", Duration.ofHours(1));
        driver().stop(task, "", Duration.ofMillis(100));
        driver().stop(task, "", Duration.ofHours(1));
        assertEquals(KILLED, driver().await(task));
    }

    @Test
    void stoppingAnEndedTaskIsNoError() throws Exception {
        TaskHandle task = started(exiting(0));
        driver().await(task);
        driver().stop(task, "SIGTERM", Duration.ofSeconds(1));
        assertTrue(driver().await(task).isSuccess());
    }

    @Test
    void signalsReachARunningTaskOnly() throws Exception {
        TaskHandle task = started(waiting());
        DriverTrouble unknown = assertThrows(DriverTrouble.class, () -> driver().signal(task, "SIGNOSUCH"));
        assertEquals(Effect.NONE, unknown.effect());
        driver().signal(task, "SIGTERM");
        assertEquals(TERMINATED, driver().await(task));
        DriverTrouble ended = assertThrows(DriverTrouble.class, () -> driver().signal(task, "SIGTERM"));
        assertEquals(Effect.NONE, ended.effect());
    }

    @Test
    void destroyingARunningTaskKillsItAndTwiceIsNoError() throws Exception {
        TaskConfig config = next(waiting());
        TaskHandle task = driver().start(config);
        driver().stats(task);
        driver().destroy(task);
        driver().destroy(task);
        assertEquals(Optional.empty(), driver().find(config));
    }

    @Test
    void aWaitCanBeInterrupted() throws Exception {
        TaskHandle task = started(waiting());
        AtomicReference<@Nullable Throwable> thrown = new AtomicReference<>();
        Thread waiter = Thread.ofVirtual().start(() -> {
            try {
                driver().await(task);
            } catch (InterruptedException | DriverTrouble end) {
                thrown.set(end);
            }
        });
        assertFalse(waiter.join(Duration.ofMillis(100)));
        waiter.interrupt();
        waiter.join();
        assertInstanceOf(InterruptedException.class, thrown.get());
    }

    @Test
    void aBlockWithAnUnknownKeyIsRefusedByName() {
        Map<String, Object> block = Map.of("nonsense", 1L);
        assertTrue(driver().faults(block).stream().anyMatch(fault -> fault.contains("nonsense")));
        DriverTrouble trouble = assertThrows(DriverTrouble.class, () -> driver().start(next(block)));
        assertEquals(Effect.NONE, trouble.effect());
        assertEquals(List.of(), driver().faults(waiting()));
    }
}
