package io.cleat.demo;

import io.cleat.base.Trouble;
import java.io.IOException;

/** Something is not as it should be, or could not be looked at. */
final class CheckFailed extends Exception {
    private static final long serialVersionUID = 1;

    private final String what;
    private final String expected;
    private final String seen;

    /** @param what the thing that was looked at */
    CheckFailed(String what, String expected, String seen) {
        super(what + ": expected " + expected + ", seen " + seen);
        this.what = what;
        this.expected = expected;
        this.seen = seen;
    }

    /** A look that could not be taken. */
    static CheckFailed unseen(String what, IOException cause) {
        CheckFailed failed = new CheckFailed(what, "to be able to look at it", cause.toString());
        failed.initCause(cause);
        return failed;
    }

    /** A look that could not be taken. */
    static CheckFailed unseen(String what, Trouble cause) {
        CheckFailed failed = new CheckFailed(what, "to be able to look at it", cause.reason());
        failed.initCause(cause);
        return failed;
    }

    /** Fails unless {@code holds}. */
    static void unless(boolean holds, String what, String expected, Object seen) throws CheckFailed {
        if (!holds) {
            throw new CheckFailed(what, expected, seen.toString());
        }
    }

    String what() {
        return what;
    }

    String expected() {
        return expected;
    }

    String seen() {
        return seen;
    }
}
