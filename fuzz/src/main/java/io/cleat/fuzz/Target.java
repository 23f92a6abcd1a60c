package io.cleat.fuzz;

import java.util.List;

/** A reader of what comes from outside, and what is promised of it. One thread at a time uses it. */
public interface Target {
    /** Bytes that most readers may allocate for one input. */
    long MOST_BYTES = 256L << 20;

    String name();

    /** A line for the list of targets. */
    String about();

    /** Inputs to begin with; good ones reach furthest. */
    List<byte[]> samples() throws Exception;

    /** Words that its inputs are made of. */
    default List<String> words() {
        return List.of();
    }

    /** Bytes that it may allocate for one input, all garbage included. */
    default long mostBytes() {
        return MOST_BYTES;
    }

    /**
     * Reads one input.
     *
     * @throws Exception {@link io.cleat.base.Refused} and {@link io.cleat.base.Trouble} are answers; whatever else
     *     comes out is a finding
     */
    void run(byte[] input) throws Exception;
}
