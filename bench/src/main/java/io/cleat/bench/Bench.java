package io.cleat.bench;

import java.nio.file.Path;
import java.util.List;

/** One measurement. A new one is added to the list in {@link Main}. */
public interface Bench {
    /** A word to choose it by on the command line. */
    String name();

    /**
     * Measures.
     *
     * @param scratch an empty directory on the disk to be measured; removed afterwards
     */
    List<BenchRow> run(Path scratch) throws Exception;
}
