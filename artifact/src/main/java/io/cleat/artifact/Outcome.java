package io.cleat.artifact;

import java.nio.file.Path;

/** What became of one artifact. */
public sealed interface Outcome {
    /**
     * It is here.
     *
     * @param root a file, which is to keep its name, or a directory, whose entries are meant
     */
    record Fetched(Path root) implements Outcome {}

    /**
     * It cannot be had.
     *
     * @param why without secrets, with what to do
     */
    record Failed(String why) implements Outcome {}
}
