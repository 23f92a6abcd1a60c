package io.cleat.csi;

import java.util.List;

/**
 * Ranges of a volume, in ascending order and apart from each other, also from those of the pages before.
 *
 * @param fixedLength whether all ranges are equally long
 * @param volumeCapacityBytes of the volume that the snapshot is of
 */
public record BlockPage(boolean fixedLength, long volumeCapacityBytes, List<Range> ranges) {
    public BlockPage {
        ranges = List.copyOf(ranges);
    }

    /**
     * Bytes that belong together.
     *
     * @param offset in bytes from the volume's start
     * @param length in bytes, above 0
     */
    public record Range(long offset, long length) {
        /** The offset of the first byte after it. */
        public long end() {
            return offset + length;
        }
    }
}
