package io.cleat.base;

import org.jspecify.annotations.Nullable;

/** The replicated log did not accept an entry, or cannot say whether it did. */
public non-sealed class LogTrouble extends Trouble {
    private static final long serialVersionUID = 1;

    public LogTrouble(String message, Effect effect, Retry retry, @Nullable Throwable cause) {
        super(message, effect, retry, cause);
    }

    public LogTrouble(String message, Effect effect, Retry retry) {
        this(message, effect, retry, null);
    }
}
