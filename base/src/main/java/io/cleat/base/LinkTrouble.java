package io.cleat.base;

import org.jspecify.annotations.Nullable;

/** The other side of a connection between server and node, or between client and server, is away or spoke nonsense. */
public non-sealed class LinkTrouble extends Trouble {
    private static final long serialVersionUID = 1;

    public LinkTrouble(String message, Effect effect, Retry retry, @Nullable Throwable cause) {
        super(message, effect, retry, cause);
    }

    public LinkTrouble(String message, Effect effect, Retry retry) {
        this(message, effect, retry, null);
    }
}
