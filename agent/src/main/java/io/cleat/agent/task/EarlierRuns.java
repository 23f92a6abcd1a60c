package io.cleat.agent.task;

import io.cleat.base.BackOff;
import io.cleat.base.DriverTrouble;
import io.cleat.driver.TaskDriver;
import io.cleat.driver.TaskHandle;
import io.cleat.driver.TaskLost;
import java.time.Duration;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What runs of an allocation though nothing is written down of it, as when its file was lost: it is
 * ended before anything is started, so that two never write beside each other.
 *
 * <p>Holds nothing; used by any thread.
 */
public final class EarlierRuns {
    private static final Logger LOG = LoggerFactory.getLogger(EarlierRuns.class);
    private static final BackOff AGAIN =
            new BackOff(Duration.ofMillis(200), Duration.ofSeconds(30));
    private static final Duration KILL_TIMEOUT = Duration.ofSeconds(5);

    private final TaskParts parts;

    public EarlierRuns(TaskParts parts) {
        this.parts = parts;
    }

    /** Asks a run to end. */
    @FunctionalInterface
    interface Stop {
        void stop(TaskHandle run) throws DriverTrouble, InterruptedException;
    }

    /** Something that a driver may not be able to do or tell now. */
    @FunctionalInterface
    private interface Step {
        void take() throws DriverTrouble, InterruptedException;
    }

    /** Ends all that runs of allocations that are nobody's. Returns once nothing does. */
    public void endStrays(Predicate<String> isKnown) throws InterruptedException {
        untilDone(
                "allocations that are not known",
                () -> {
                    for (TaskDriver driver : parts.drivers().values()) {
                        for (String allocId : driver.allocations()) {
                            if (!isKnown.test(allocId)) {
                                endAll(allocId);
                            }
                        }
                    }
                });
    }

    /** Ends all that runs of an allocation. Returns once nothing does, of which there is proof. */
    public void endAll(String allocId) throws InterruptedException {
        for (TaskDriver driver : parts.drivers().values()) {
            end(driver, allocId, "", run -> driver.stop(run, "", KILL_TIMEOUT));
        }
    }

    /** Ends what runs of a task. Returns once nothing does, of which there is proof. */
    void end(TaskDriver driver, String allocId, String task, Stop stop)
            throws InterruptedException {
        String beginning = allocId + "/" + (task.isEmpty() ? "" : task + "/");
        untilDone(
                beginning,
                () -> {
                    for (TaskHandle run : driver.live(allocId)) {
                        if (run.id().startsWith(beginning)) {
                            end(driver, run, stop);
                        }
                    }
                });
    }

    private void untilDone(String what, Step step) throws InterruptedException {
        for (int failures = 0; ; failures++) {
            try {
                step.take();
                return;
            } catch (DriverTrouble trouble) {
                LOG.warn("it is not known yet what runs of {}: {}", what, trouble.reason());
            }
            parts.time().sleep(AGAIN.wait(failures, parts.chance()));
        }
    }

    private static void end(TaskDriver driver, TaskHandle run, Stop stop)
            throws DriverTrouble, InterruptedException {
        LOG.warn("{} runs, and nothing is written down of it: it is ended", run.id());
        stop.stop(run);
        try {
            driver.await(run);
        } catch (TaskLost ended) {
            LOG.info("{}", ended.reason());
        }
        driver.destroy(run);
    }
}
