package io.cleat.base;

import org.jspecify.annotations.Nullable;

/** A storage plugin refused a call, did not answer in time, or answered against the CSI specification. */
public non-sealed class PluginTrouble extends Trouble {
    private static final long serialVersionUID = 1;

    public PluginTrouble(String message, Effect effect, Retry retry, @Nullable Throwable cause) {
        super(message, effect, retry, cause);
    }

    public PluginTrouble(String message, Effect effect, Retry retry) {
        this(message, effect, retry, null);
    }
}
