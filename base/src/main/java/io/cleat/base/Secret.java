package io.cleat.base;

import java.util.Objects;

/**
 * A value that never prints. Only {@link #reveal()} gives it out, so that every place where a secret leaves the program
 * can be found by that name.
 */
public final class Secret {
    /** What is shown instead of a secret, in every message, log and answer. */
    public static final String REDACTED = "[REDACTED]";

    private final String value;

    public Secret(String value) {
        this.value = Objects.requireNonNull(value, "value");
    }

    /** The value itself, for the one who needs it: a plugin's call, or the cipher. */
    public String reveal() {
        return value;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Secret secret && value.equals(secret.value);
    }

    @Override
    public int hashCode() {
        return value.hashCode();
    }

    @Override
    public String toString() {
        return REDACTED;
    }
}
