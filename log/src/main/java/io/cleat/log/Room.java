package io.cleat.log;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The port for how much room a file system has left. */
@FunctionalInterface
public interface Room {
    /**
     * What is left of a file system.
     *
     * @param files how many more it can hold, whatever their size; {@link Long#MAX_VALUE} where that is not bounded or
     *     not known
     */
    record Left(long bytes, long files) {}

    /** Of the file system that holds {@code directory}. */
    Left left(Path directory) throws IOException;

    /** Looks at bytes alone. */
    static Room ofBytes() {
        return directory -> new Left(Files.getFileStore(directory).getUsableSpace(), Long.MAX_VALUE);
    }
}
