package io.cleat.cli;

import org.jspecify.annotations.Nullable;

/**
 * A command that cannot do what was asked: what went wrong and why is the message, what to do next
 * the hint.
 */
final class Failure extends Exception {
    private static final long serialVersionUID = 1;

    private final @Nullable String next;

    Failure(String message, @Nullable String next) {
        super(message);
        this.next = next;
    }

    Failure(String message) {
        this(message, null);
    }

    /** What went wrong and why. */
    String reason() {
        String message = getMessage();
        return message == null ? "failed" : message;
    }

    /** What to do next; null when the reason says it. */
    @Nullable String next() {
        return next;
    }
}
