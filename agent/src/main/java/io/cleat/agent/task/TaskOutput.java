package io.cleat.agent.task;

import io.cleat.base.DriverTrouble;
import io.cleat.base.Threads;
import io.cleat.base.Time;
import io.cleat.driver.TaskDriver;
import io.cleat.driver.TaskHandle;
import java.time.Duration;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Tells of output that is lost while the task runs on; what is lost in all is told at its end.
 *
 * <p>Used by the task's thread.
 */
final class TaskOutput {
    private static final Duration LOOK = Duration.ofMinutes(1);

    /** Between two events: a task keeps few, and others matter more. */
    private static final Duration QUIET = Duration.ofHours(1);

    private final TaskDriver driver;
    private final Threads threads;
    private final Time time;
    private final TaskDiary diary;
    private final TaskEvents events;
    private @Nullable Thread watch;

    TaskOutput(TaskDriver driver, Threads threads, Time time, TaskDiary diary, TaskEvents events) {
        this.driver = driver;
        this.threads = threads;
        this.time = time;
        this.diary = diary;
        this.events = events;
    }

    void afterStart(TaskHandle handle) {
        watch = threads.contained("task/" + handle.id() + "/output", () -> look(handle), Threads.OnFault.NOTHING_MORE);
    }

    void afterEnd() throws InterruptedException {
        if (watch != null) {
            watch.interrupt();
            watch.join();
            watch = null;
        }
    }

    private void look(TaskHandle handle) throws InterruptedException {
        long told = 0;
        while (true) {
            try {
                OptionalLong lost = driver.lostOutput(handle);
                if (lost.isEmpty()) {
                    return;
                }
                if (lost.getAsLong() > told) {
                    told = lost.getAsLong();
                    diary.event(events.outputIsLost(told));
                    time.sleep(QUIET);
                }
            } catch (DriverTrouble unheard) {
                // It may be about to end, which tells.
            }
            time.sleep(LOOK);
        }
    }
}
