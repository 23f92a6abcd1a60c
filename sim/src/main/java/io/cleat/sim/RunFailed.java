package io.cleat.sim;

/** A run in which something was not as it must be. */
public final class RunFailed extends Exception {
    private static final long serialVersionUID = 1;

    RunFailed(String message, Throwable cause) {
        super(message, cause);
    }
}
