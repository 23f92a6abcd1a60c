package io.cleat.csi;

import io.cleat.base.Secrets;

/**
 * Which block metadata of a snapshot to read.
 *
 * @param snapshotId of the snapshot
 * @param startingOffset in bytes from the volume's start; what ends before it is not told
 * @param maxResults ranges a page; 0 for the plugin's choice
 * @param mostBytes how much of the plugin's replies is read before the reading ends by itself, at least 1
 */
public record BlockQuery(String snapshotId, long startingOffset, int maxResults, long mostBytes, Secrets secrets) {
    public BlockQuery {
        if (startingOffset < 0 || maxResults < 0 || mostBytes < 1) {
            throw new IllegalArgumentException("from "
                    + startingOffset
                    + ", "
                    + maxResults
                    + " ranges a page, at most "
                    + mostBytes
                    + " bytes; expected 0 or more, 0 or more, 1 or more");
        }
    }

    /** From the start, in pages of the plugin's choice, at most 64 MiB of replies. */
    public static BlockQuery of(String snapshotId) {
        return new BlockQuery(snapshotId, 0, 0, 64 << 20, Secrets.none());
    }

    /** The same from another place. */
    public BlockQuery from(long offset) {
        return new BlockQuery(snapshotId, offset, maxResults, mostBytes, secrets);
    }
}
