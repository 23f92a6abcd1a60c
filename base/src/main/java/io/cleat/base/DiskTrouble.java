package io.cleat.base;

import org.jspecify.annotations.Nullable;

/** A file of ours could not be read, written or made durable; a torn or newer record is reported this way too. */
public non-sealed class DiskTrouble extends Trouble {
    private static final long serialVersionUID = 1;

    public DiskTrouble(String message, Effect effect, Retry retry, @Nullable Throwable cause) {
        super(message, effect, retry, cause);
    }

    public DiskTrouble(String message, Effect effect, Retry retry) {
        this(message, effect, retry, null);
    }
}
