package io.cleat.agent.task;

import io.cleat.base.DriverTrouble;
import io.cleat.base.Trouble;
import io.cleat.driver.TaskDriver;
import io.cleat.driver.TaskHandle;
import io.cleat.driver.TaskLost;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What runs of an allocation though nothing is written down of it, as when its file was lost: it is ended before
 * anything is started, so that two never write beside each other.
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
            Set<String> found = new UntilDone(parts, "what runs of allocations that are not known")
                    .ask(driver::allocations, _ -> {});
            for (String allocId : found) {
                if (!isKnown.test(allocId)) {
                    endAll(allocId);
                }
            }
        }
    }

    /** Ends all that runs of an allocation. Returns once nothing does, of which there is proof. */
    public void endAll(String allocId) throws InterruptedException {
        endAll(allocId, _ -> {});
    }

    /**
     * As {@link #endAll(String)}.
     *
     * @param first is told of the first trouble with each driver: it is not known yet what runs
     */
    public void endAll(String allocId, Consumer<Trouble> first) throws InterruptedException {
        for (TaskDriver driver : parts.drivers().values()) {
            end(driver, allocId, "", run -> driver.stop(run, "", KILL_TIMEOUT), first);
        }
    }

    /** Ends what runs of a task. Returns once nothing does, of which there is proof. */
    void end(TaskDriver driver, String allocId, String task, Stop stop) throws InterruptedException {
        end(driver, allocId, task, stop, _ -> {});
    }

    private void end(TaskDriver driver, String allocId, String task, Stop stop, Consumer<Trouble> first)
            throws InterruptedException {
        String beginning = allocId + "/" + (task.isEmpty() ? "" : task + "/");
        new UntilDone(parts, "what runs of " + beginning).ask(() -> endLive(driver, allocId, beginning, stop), first);
    }

    /** Returns how many it ended. */
    private static int endLive(TaskDriver driver, String allocId, String beginning, Stop stop)
            throws DriverTrouble, InterruptedException {
        List<TaskHandle> runs = driver.live(allocId).stream()
                .filter(run -> run.id().startsWith(beginning))
                .toList();
        for (TaskHandle run : runs) {
            end(driver, run, stop);
        }
        return runs.size();
    }

    private static void end(TaskDriver driver, TaskHandle run, Stop stop) throws DriverTrouble, InterruptedException {
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
