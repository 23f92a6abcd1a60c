package io.cleat.driver;

import io.cleat.base.DriverTrouble;
import io.cleat.base.Effect;
import io.cleat.base.Retry;

/** Something was wanted of a task that only one that runs has. Nothing was done. */
public final class TaskHasEnded extends DriverTrouble {
    private static final long serialVersionUID = 1;

    /**
     * @param taskId as in its handle
     * @param so what follows, such as {@code takes no signal}
     */
    public TaskHasEnded(String taskId, String so) {
        super("the task " + taskId + " has ended and " + so, Effect.NONE, Retry.NEVER);
    }
}
