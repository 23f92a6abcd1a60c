package io.cleat.kernel;

/**
 * A block device of this machine.
 *
 * @param readOnly whether it refuses to be written to, whoever opens it
 * @param bytes 0 while nothing is behind it, as of a loop device without a file
 */
public record BlockDevice(boolean readOnly, long bytes) {}
