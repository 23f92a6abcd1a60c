package io.cleat.artifact;

/** What became of one artifact. */
public sealed interface Outcome {
    /**
     * It is here.
     *
     * @param below where, seen from the order's directory: plain names with slashes between them
     * @param isDirectory whether it is a directory, whose entries are meant, not a file, which is to keep its name
     */
    record Fetched(String below, boolean isDirectory) implements Outcome {}

    /**
     * It cannot be had.
     *
     * @param why without secrets, with what to do
     */
    record Failed(String why) implements Outcome {}
}
