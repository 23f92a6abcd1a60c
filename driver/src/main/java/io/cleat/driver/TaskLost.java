package io.cleat.driver;

import io.cleat.base.DriverTrouble;
import io.cleat.base.Effect;
import io.cleat.base.Retry;

/** A task has ended, of which there is proof, and nobody will ever know how. */
public final class TaskLost extends DriverTrouble {
    private static final long serialVersionUID = 1;

    private final boolean withMachine;

    /**
     * @param taskId as in its handle
     * @param how such as {@code its shim is gone}
     * @param withMachine whether the machine has been started since
     */
    public TaskLost(String taskId, String how, boolean withMachine) {
        super("the end of the task " + taskId + " is not known: " + how, Effect.APPLIED, Retry.NEVER);
        this.withMachine = withMachine;
    }

    /** Whether it ended because the machine was restarted, which is no fault of the task's. */
    public boolean isWithMachine() {
        return withMachine;
    }
}
