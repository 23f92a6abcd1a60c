package io.cleat.driver;

/**
 * What a driver can do. A task whose job asks for more is not started on a node with that driver, and fails with the
 * reason.
 *
 * @param signals whether it sends a signal of choice, as {@code kill_signal} and templates want
 * @param exec whether it runs commands in its tasks
 * @param mounts whether it mounts volumes into the task's own file system
 * @param canDisableLogs whether it can run a task without collecting its output
 */
public record DriverCapabilities(
        boolean signals, boolean exec, Isolation isolation, boolean mounts, boolean canDisableLogs) {
    /** Whose file system a task sees. */
    public enum Isolation {
        /** The host's. */
        NONE,
        /** A directory that was made for it. */
        CHROOT,
        /** An image's. */
        IMAGE
    }
}
