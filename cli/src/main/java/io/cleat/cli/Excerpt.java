package io.cleat.cli;

/**
 * Which part of a file or log is asked for: the whole or the end, and what comes after.
 *
 * @param isEnd whether only the end is wanted
 * @param lines how many lines of the end; where {@code bytes} is 0
 * @param bytes how many bytes of the end; 0 if it is counted in lines
 * @param follow whether it goes on as more is written
 */
record Excerpt(boolean isEnd, int lines, int bytes, boolean follow) {
    static final Flag TAIL = Flag.yes("tail", "Only the end: the last 10 lines unless -n or -c says.");
    static final Flag LINES = Flag.value("n", "lines", "How many lines of the end.");
    static final Flag BYTES = Flag.value("c", "bytes", "How many bytes of the end.");

    /** Per line, when the end is counted in lines: enough for long ones, and cut to size here. */
    private static final long BYTES_PER_LINE = 1024;

    /** What the flags {@code -f}, {@code -tail}, {@code -n} and {@code -c} say. */
    static Excerpt of(Call call) throws Failure {
        return new Excerpt(
                call.flags().has(TAIL)
                        || call.flags().value("n").isPresent()
                        || call.flags().value("c").isPresent(),
                AllocationChoice.number(call, "n", 10),
                AllocationChoice.number(call, "c", 0),
                call.flags().has("f"));
    }

    /** Where the offset is counted from, as the API says it. */
    String origin() {
        return isEnd ? "end" : "start";
    }

    /** In bytes from the origin. */
    long offset() {
        return !isEnd ? 0 : bytes > 0 ? bytes : lines * BYTES_PER_LINE;
    }

    /** Prints what comes, cut to the lines that are asked for. */
    LogOutput output(Call call) {
        return isEnd && bytes == 0 ? new LogOutput.LastLines(call, lines) : new LogOutput.All(call);
    }
}
