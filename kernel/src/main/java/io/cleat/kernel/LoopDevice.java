package io.cleat.kernel;

import java.nio.file.Path;

/**
 * A loop device with a file behind it.
 *
 * @param device its numbers, as the mount table shows them
 * @param readOnly whether it refuses to be written to
 */
public record LoopDevice(int number, Mount.Device device, boolean readOnly) {
    /** Such as {@code /dev/loop3}. */
    public Path path() {
        return Path.of("/dev/loop" + number);
    }

    @Override
    public String toString() {
        return path().toString();
    }
}
