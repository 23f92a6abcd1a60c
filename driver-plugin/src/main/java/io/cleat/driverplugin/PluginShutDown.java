package io.cleat.driverplugin;

import io.cleat.base.DriverTrouble;
import io.cleat.base.Effect;
import io.cleat.base.Retry;

/**
 * The program that holds a driver is gone, or went in the middle of a call. Its tasks may run on. One that follows it
 * is being started.
 */
public final class PluginShutDown extends DriverTrouble {
    private static final long serialVersionUID = 1;

    /**
     * @param which such as {@code the driver lxc, process 4711}
     * @param what was wanted of it
     * @param effect NONE if it never got that far
     */
    PluginShutDown(String which, String what, Effect effect) {
        super(
                "plugin is shut down: " + which + ", asked for " + what,
                effect,
                effect == Effect.NONE ? Retry.SAME_CALL : Retry.AFTER_OBSERVING);
    }
}
