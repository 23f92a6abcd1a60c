package io.cleat.model;

/**
 * The allocation directory's disk.
 *
 * @param sizeMb MiB
 */
public record EphemeralDisk(long sizeMb, boolean sticky, boolean migrate) {
    private static final int MEBI = 20;

    /** What most file systems give a file at least. */
    private static final long BLOCK = 4096;

    private static final long FEWEST_FILES = 100_000;

    /** What its files may take, in bytes; {@link Long#MAX_VALUE} for more than can be counted. */
    public long bytes() {
        long size = Math.max(0, sizeMb);
        return size > Long.MAX_VALUE >> MEBI ? Long.MAX_VALUE : size << MEBI;
    }

    /** How many files, directories and links it may hold: one for each 4 KiB, at least 100,000. */
    public long files() {
        return Math.max(FEWEST_FILES, bytes() / BLOCK);
    }
}
