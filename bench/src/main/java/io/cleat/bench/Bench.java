package io.cleat.bench;

import java.nio.file.Path;
import java.util.List;

/**
 * One measurement, run in a JVM of its own. A new one is added to the list in {@link Main}.
 *
 * <p>Other work on the machine makes all figures worse at once, so each is measured beside its limit, in turns with it
 * where it can be, and told as a median.
 */
public interface Bench {
    /** A word to choose it by on the command line. */
    String name();

    /** What it measures, in a few words. */
    String about();

    /** The heap of its JVM, as {@code -Xmx} takes it: the server's unless the measure needs more. */
    default String heap() {
        return "256m";
    }

    /**
     * Measures.
     *
     * @param scratch an empty directory on the disk to be measured; removed afterwards
     */
    List<BenchRow> run(Path scratch) throws Exception;
}
