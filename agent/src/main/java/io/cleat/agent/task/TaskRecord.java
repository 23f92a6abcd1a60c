package io.cleat.agent.task;

import io.cleat.driver.TaskHandle;
import io.cleat.model.TaskState;
import org.jspecify.annotations.Nullable;

/**
 * What is written down of a task.
 *
 * @param run the id under which the driver was last asked to start it, written before it was asked; absent while
 *     nothing can run
 * @param handle what the driver answered; absent until it has
 * @param restarts as counted for its policy, so that an agent's death forgives nothing; null before it ended for the
 *     first time
 */
public record TaskRecord(
        TaskState state,
        @Nullable String run,
        @Nullable TaskHandle handle,
        @Nullable RestartCount restarts) {
    public static final TaskRecord NEW = new TaskRecord(TaskState.PENDING, null, null, null);

    TaskRecord with(TaskState changed) {
        return new TaskRecord(changed, run, handle, restarts);
    }

    /** The driver is about to be asked. */
    TaskRecord starting(String id) {
        return new TaskRecord(state, id, null, restarts);
    }

    TaskRecord started(TaskState running, TaskHandle answered) {
        return new TaskRecord(running, run, answered, restarts);
    }

    /** Nothing of it runs. */
    public TaskRecord idle(TaskState changed) {
        return new TaskRecord(changed, null, null, restarts);
    }

    /** Nothing of it runs, and it is to be started again. */
    TaskRecord counting(TaskState restarting, @Nullable RestartCount counted) {
        return new TaskRecord(restarting, null, null, counted);
    }

    /** As before its first start, but for what happened until now. */
    public TaskRecord anew() {
        return counting(TaskDiary.notStarted(state), restarts == null ? null : restarts.withoutWait());
    }
}
