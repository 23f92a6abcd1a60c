package io.cleat.base;

import org.jspecify.annotations.Nullable;

/** A task driver could not start, stop, signal or recover a task. */
public non-sealed class DriverTrouble extends Trouble {
    private static final long serialVersionUID = 1;

    public DriverTrouble(String message, Effect effect, Retry retry, @Nullable Throwable cause) {
        super(message, effect, retry, cause);
    }

    public DriverTrouble(String message, Effect effect, Retry retry) {
        this(message, effect, retry, null);
    }
}
