package io.cleat.csi;

import io.cleat.csi.v1.BlockMetadata;
import io.cleat.csi.v1.BlockMetadataType;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Checks of a stream of block metadata, over all its pages. Used by one thread. */
final class BlockChecks {
    private final int maxResults;
    private long from;
    private boolean begun;
    // What the first page said, and each later one must say as well.
    private @Nullable BlockMetadataType type;
    private long capacity;
    private long fixedLength;

    BlockChecks(BlockQuery query) {
        this.maxResults = query.maxResults();
        this.from = query.startingOffset();
    }

    /** Where the next range begins at the earliest. */
    long nextOffset() {
        return from;
    }

    /** A stream was opened at {@link #nextOffset()}: its first range may reach back over that. */
    void opened() {
        begun = false;
    }

    /** One page, checked against those before it. */
    BlockPage page(BlockMetadataType saidType, long saidCapacity, List<BlockMetadata> said) throws BadReply {
        requireSame(saidType, saidCapacity);
        if (maxResults > 0 && said.size() > maxResults) {
            throw new BadReply("has " + said.size() + " ranges, asked was for at most " + maxResults);
        }
        List<BlockPage.Range> ranges = new ArrayList<>();
        for (BlockMetadata range : said) {
            ranges.add(checked(range));
        }
        return new BlockPage(saidType == BlockMetadataType.FIXED_LENGTH, saidCapacity, ranges);
    }

    private void requireSame(BlockMetadataType saidType, long saidCapacity) throws BadReply {
        if (saidType != BlockMetadataType.FIXED_LENGTH && saidType != BlockMetadataType.VARIABLE_LENGTH) {
            throw new BadReply("has no block_metadata_type");
        }
        if (saidCapacity <= 0) {
            throw new BadReply("has volume_capacity_bytes " + saidCapacity);
        }
        if (type != null && (type != saidType || capacity != saidCapacity)) {
            throw new BadReply("says "
                    + saidType
                    + " and "
                    + saidCapacity
                    + " bytes, and before it said "
                    + type
                    + " and "
                    + capacity);
        }
        type = saidType;
        capacity = saidCapacity;
    }

    private BlockPage.Range checked(BlockMetadata range) throws BadReply {
        long offset = range.getByteOffset();
        long length = range.getSizeBytes();
        if (offset < 0 || length <= 0 || offset > Long.MAX_VALUE - length) {
            throw new BadReply("has a range of " + length + " bytes at " + offset);
        }
        boolean inOrder = begun ? offset >= from : offset + length > from;
        if (!inOrder) {
            throw new BadReply("has a range of " + length + " bytes at " + offset + ", which is not after " + from);
        }
        if (type == BlockMetadataType.FIXED_LENGTH) {
            if (fixedLength != 0 && fixedLength != length) {
                throw new BadReply(
                        "has ranges of " + fixedLength + " and of " + length + " bytes, expected equal ones");
            }
            fixedLength = length;
        }
        begun = true;
        from = offset + length;
        return new BlockPage.Range(offset, length);
    }
}
