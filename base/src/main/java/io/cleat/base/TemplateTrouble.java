package io.cleat.base;

/** A template of a task could not be rendered; nothing was written. */
public final class TemplateTrouble extends Trouble {
    private static final long serialVersionUID = 1;

    public TemplateTrouble(String message, Throwable cause) {
        super(message, Effect.NONE, Retry.AFTER_OBSERVING, cause);
    }
}
