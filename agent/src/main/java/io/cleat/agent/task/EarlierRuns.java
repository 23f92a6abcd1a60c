package io.cleat.agent.task;

import io.cleat.base.DriverTrouble;
import io.cleat.driver.TaskDriver;
import io.cleat.driver.TaskHandle;
import io.cleat.driver.TaskLost;
import java.time.Duration;
import java.util.List;
import java.util.Set;
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

    /** Ends all that runs of allocations that are nobody's. Returns once nothing does. */
    public void endStrays(Predicate<String> isKnown) throws InterruptedException {
        for (TaskDriver driver : parts.drivers().values()) {
            Set<String> found =
                    untilKnown("what runs of allocations that are not known", driver::allocations);
            for (String allocId : found) {
                if (!isKnown.test(allocId)) {
                    endAll(allocId);
                }
            }
        }
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
        untilKnown("what runs of " + beginning, () -> endLive(driver, allocId, beginning, stop));
    }

    private <T> T untilKnown(String what, UntilDone.Question<T> question)
            throws InterruptedException {
        return new UntilDone(parts, what).ask(question, _ -> {});
    }

    /** Returns how many it ended. */
    private static int endLive(TaskDriver driver, String allocId, String beginning, Stop stop)
            throws DriverTrouble, InterruptedException {
        List<TaskHandle> runs =
                driver.live(allocId).stream()
                        .filter(run -> run.id().startsWith(beginning))
                        .toList();
        for (TaskHandle run : runs) {
            end(driver, run, stop);
        }
        return runs.size();
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
