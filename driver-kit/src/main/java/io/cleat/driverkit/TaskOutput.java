package io.cleat.driverkit;

import java.nio.file.Path;

/**
 * Where a task writes: FIFOs from which its output is kept, or files.
 *
 * @param out its output
 * @param err its errors
 */
public record TaskOutput(Path out, Path err) {
    /** Nobody keeps it. */
    public static final TaskOutput NOWHERE = new TaskOutput(Path.of("/dev/null"), Path.of("/dev/null"));
}
