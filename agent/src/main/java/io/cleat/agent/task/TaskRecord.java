package io.cleat.agent.task;

import io.cleat.driver.TaskHandle;
import io.cleat.model.TaskState;
import org.jspecify.annotations.Nullable;

/**
 * What is written down of a task.
 *
 * @param run the id under which the driver was last asked to start it, written before it was asked;
 *     absent while nothing can run
 * @param handle what the driver answered; absent until it has
 */
public record TaskRecord(TaskState state, @Nullable String run, @Nullable TaskHandle handle) {
    public static final TaskRecord NEW = new TaskRecord(TaskState.PENDING, null, null);
}
