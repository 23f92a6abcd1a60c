package io.cleat.base;

import org.jspecify.annotations.Nullable;

/**
 * What a task needs could not be fetched: its source does not answer, gives something else than was asked for, or gives
 * something that is not let in.
 */
public non-sealed class ArtifactTrouble extends Trouble {
    private static final long serialVersionUID = 1;

    public ArtifactTrouble(String message, Retry retry, @Nullable Throwable cause) {
        super(message, Effect.NONE, retry, cause);
    }

    public ArtifactTrouble(String message, Retry retry) {
        this(message, retry, null);
    }
}
