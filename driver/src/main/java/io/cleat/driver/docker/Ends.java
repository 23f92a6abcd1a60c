package io.cleat.driver.docker;

import io.cleat.driver.ExitResult;

/** How engines say that something ended: by a code alone, 128 and more for a signal's number. */
final class Ends {
    private static final int SIGNALLED = 128;
    private static final int LAST_SIGNAL = 31;

    private Ends() {}

    static ExitResult of(int code, boolean oomKilled) {
        return of(code, oomKilled, 0);
    }

    static ExitResult of(int code, boolean oomKilled, long lostOutput) {
        boolean isSignal = code > SIGNALLED && code <= SIGNALLED + LAST_SIGNAL;
        return new ExitResult(code, isSignal ? code - SIGNALLED : 0, oomKilled, lostOutput);
    }
}
