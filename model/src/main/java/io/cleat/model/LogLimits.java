package io.cleat.model;

/**
 * How much of a task's output is kept, per stream.
 *
 * @param maxFileSizeMb MiB
 */
public record LogLimits(int maxFiles, int maxFileSizeMb, boolean disabled) {
    public static final LogLimits DEFAULT = new LogLimits(10, 10, false);
}
