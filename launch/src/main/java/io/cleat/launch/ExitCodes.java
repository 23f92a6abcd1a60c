package io.cleat.launch;

/** What an agent's process ends with beside 0 and the signals; the words are in docs/exit-codes.md. */
final class ExitCodes {
    /** A fault of what owns shared state. */
    static final int FAULT = 70;

    /** The watchdog found what must go on stuck. */
    static final int STUCK = 71;

    private ExitCodes() {}
}
