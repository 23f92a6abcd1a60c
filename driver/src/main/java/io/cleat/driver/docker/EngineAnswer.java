package io.cleat.driver.docker;

import io.cleat.base.DriverTrouble;
import io.cleat.base.Effect;
import io.cleat.base.Retry;

/** The engine said no, with a status of HTTP and words of its own. */
final class EngineAnswer extends DriverTrouble {
    static final int ABSENT = 404;
    static final int CONFLICT = 409;

    private static final int OWN_FAULT = 500;
    private static final long serialVersionUID = 1;

    private final int status;
    private final String words;

    /**
     * @param asked such as {@code POST /containers/create}
     * @param words the engine's
     */
    EngineAnswer(String asked, int status, String words) {
        super(
                "the engine answered " + asked + " with " + status + ": " + words,
                status >= OWN_FAULT ? Effect.UNKNOWN : Effect.NONE,
                status >= OWN_FAULT ? Retry.AFTER_OBSERVING : Retry.NEVER);
        this.status = status;
        this.words = words;
    }

    int status() {
        return status;
    }

    /** The engine's words alone. */
    String words() {
        return words;
    }
}
