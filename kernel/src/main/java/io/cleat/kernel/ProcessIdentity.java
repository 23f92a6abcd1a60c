package io.cleat.kernel;

/**
 * One process for ever: an id alone is given to others once its process is gone.
 *
 * @param startTime in clock ticks since the machine's start (field 22 of proc_pid_stat(5))
 */
public record ProcessIdentity(long pid, long startTime, BootId boot) {
    @Override
    public String toString() {
        return "process " + pid + " started at tick " + startTime + " of boot " + boot;
    }
}
