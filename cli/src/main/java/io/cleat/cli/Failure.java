package io.cleat.cli;

import org.jspecify.annotations.Nullable;

/** A command that cannot do what was asked: what went wrong and why is the message, what to do next the hint. */
public final class Failure extends Exception {
    private static final long serialVersionUID = 1;

    private final @Nullable String next;

    public Failure(String message, @Nullable String next) {
        super(message);
        this.next = next;
    }

    public Failure(String message) {
        this(message, null);
    }

    /** What went wrong and why. */
    public String reason() {
        String message = getMessage();
        return message == null ? "failed" : message;
    }

    /** What to do next; null when the reason says it. */
    public @Nullable String next() {
        return next;
    }
}
