package io.cleat.driverplugin;

import io.cleat.base.DriverTrouble;
import io.cleat.base.Effect;
import io.cleat.base.Retry;

/** What a driver itself says against a call. */
final class PluginAnswered extends DriverTrouble {
    private static final long serialVersionUID = 1;

    /** What drivers say of a task that they do not know. */
    private static final String UNKNOWN_TASK = "task not found";

    private final String said;

    PluginAnswered(String which, String method, String said) {
        super(which + " answered to " + method + ": " + said, Effect.UNKNOWN, Retry.AFTER_OBSERVING);
        this.said = said;
    }

    /** Whether it does not know the task it was asked about. */
    boolean isUnknownTask() {
        return said.contains(UNKNOWN_TASK);
    }
}
