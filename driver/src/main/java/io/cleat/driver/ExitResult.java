package io.cleat.driver;

/**
 * How a task ended.
 *
 * @param exitCode 0 to 255; 128 plus the signal where one ended it
 * @param signal the number of the signal that ended it; 0 for none
 * @param lostOutput bytes of its output that were not kept: beyond its rate, or for want of a disk
 */
public record ExitResult(int exitCode, int signal, boolean oomKilled, long lostOutput) {
    /** Of a task whose output was all kept. */
    public ExitResult(int exitCode, int signal, boolean oomKilled) {
        this(exitCode, signal, oomKilled, 0);
    }

    /** Whether the task ended by itself with exit code 0. */
    public boolean isSuccess() {
        return exitCode == 0 && signal == 0 && !oomKilled;
    }
}
