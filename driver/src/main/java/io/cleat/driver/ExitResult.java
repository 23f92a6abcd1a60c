package io.cleat.driver;

/**
 * How a task ended.
 *
 * @param exitCode 0 to 255; 128 plus the signal where one ended it
 * @param signal the number of the signal that ended it; 0 for none
 */
public record ExitResult(int exitCode, int signal, boolean oomKilled) {
    /** Whether the task ended by itself with exit code 0. */
    public boolean isSuccess() {
        return exitCode == 0 && signal == 0 && !oomKilled;
    }
}
