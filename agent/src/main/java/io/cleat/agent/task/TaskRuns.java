package io.cleat.agent.task;

import io.cleat.base.DriverTrouble;
import io.cleat.driver.ExitResult;
import io.cleat.driver.TaskDriver;
import io.cleat.driver.TaskHandle;
import io.cleat.driver.TaskLost;
import java.util.Optional;

/**
 * The runs of one task, as its driver knows them: what was begun is found again, and an end is believed only with
 * proof. What the driver cannot tell now is asked again, however often: to take it for nothing would start the task a
 * second time beside the first.
 *
 * <p>Of the thread that runs the task.
 */
final class TaskRuns {
    private final TaskSetting setting;
    private final TaskParts parts;
    private final TaskDriver driver;
    private final TaskLaunch launch;
    private final TaskDiary diary;
    private final TaskEvents events;

    TaskRuns(
            TaskSetting setting,
            TaskParts parts,
            TaskDriver driver,
            TaskLaunch launch,
            TaskDiary diary,
            TaskEvents events) {
        this.setting = setting;
        this.parts = parts;
        this.driver = driver;
        this.launch = launch;
        this.diary = diary;
        this.events = events;
    }

    /** How a run ended. */
    enum End {
        WELL,
        BADLY,
        /** With the machine, which was started again since. */
        WITH_MACHINE
    }

    /**
     * Finds what runs, or ran, since the last start: also when its handle was never written down, and then says that it
     * was started.
     */
    Optional<TaskHandle> last() throws InterruptedException {
        TaskRecord record = diary.record();
        String run = record.run();
        if (run == null || record.handle() != null) {
            return Optional.ofNullable(record.handle());
        }
        Optional<TaskHandle> found = untilKnown("find " + run, () -> driver.find(launch.config(run)));
        found.ifPresent(handle -> diary.note(r -> r.started(TaskDiary.running(r.state(), events.started()), handle)));
        return found;
    }

    /** Ends what runs of the task though it is not known to: two must never run at once. */
    void endOthers(Stopping stopping) throws InterruptedException {
        new EarlierRuns(parts)
                .end(
                        driver,
                        setting.allocId(),
                        setting.task().name(),
                        run -> stopping.stop(run, "an earlier start of it, of which nothing is written down"));
    }

    /** Blocks until the run has ended, and says how. */
    End awaitEnd(TaskHandle run) throws InterruptedException {
        return untilKnown("await " + run.id(), () -> end(run));
    }

    private End end(TaskHandle run) throws DriverTrouble, InterruptedException {
        try {
            ExitResult result = driver.await(run);
            if (result.lostOutput() > 0) {
                diary.event(events.outputLost(result.lostOutput()));
            }
            diary.event(events.terminated(result.exitCode(), result.signal(), result.oomKilled()));
            return result.isSuccess() ? End.WELL : End.BADLY;
        } catch (TaskLost lost) {
            diary.event(events.lost(lost.reason()));
            return lost.isWithMachine() ? End.WITH_MACHINE : End.BADLY;
        }
    }

    private <T> T untilKnown(String what, UntilDone.Question<T> question) throws InterruptedException {
        return new UntilDone(parts, what).ask(question, trouble -> {
            diary.event(events.driverFailure(trouble.reason()));
            diary.settled();
        });
    }
}
