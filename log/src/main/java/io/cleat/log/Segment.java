package io.cleat.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of one file of the log, and the records in them; nothing is changed.
 *
 * <p>The header {@code RaftLog1}; per record its length as a varint, an entry (field 1 term, field 2 index), CRC32C of
 * both, big endian; zeros up to the end. Of one thread.
 */
final class Segment {
    private static final byte[] HEADER = "RaftLog1".getBytes(StandardCharsets.US_ASCII);
    private static final int FARTHEST = 1 << 20;

    /** What a disk writes whole or not at all, in bytes. */
    private static final int SECTOR = 512;

    private static final byte TERM_TAG = 0x08;
    private static final byte INDEX_TAG = 0x10;

    private final Path file;
    private final ByteBuffer bytes;
    private long records;
    private long lastIndex = -1;

    private Segment(Path file, ByteBuffer bytes) {
        this.file = file;
        this.bytes = bytes;
    }

    static Segment read(Path file) throws IOException {
        return new Segment(file, ByteBuffer.wrap(Files.readAllBytes(file)));
    }

    Path file() {
        return file;
    }

    /** Of the first entry that {@link #firstBad} came by; -1 for none. */
    long firstIndex() {
        return records == 0 ? -1 : lastIndex - records + 1;
    }

    /** Of the last entry that {@link #firstBad} came by; -1 for none. */
    long lastIndex() {
        return lastIndex;
    }

    boolean hasHeader() {
        return bytes.capacity() >= HEADER.length
                && bytes.slice(0, HEADER.length).equals(ByteBuffer.wrap(HEADER));
    }

    /** What was written from an offset on, without the zeros at the end. */
    ByteBuffer writtenFrom(int offset) {
        return bytes.slice(offset, lastWritten() + 1 - offset);
    }

    /** Offset of the first record that is not readable, or -1 when there is none. */
    int firstBad() {
        int offset = HEADER.length;
        while (offset < bytes.capacity()) {
            if (bytes.get(offset) == 0) {
                return lastWritten() < offset ? -1 : offset;
            }
            int end = endOfRecord(offset);
            if (end < 0) {
                return offset;
            }
            // The first entry of all has no index: zeros are left out.
            lastIndex = Math.max(lastIndex, indexAt(offset).orElse(0));
            records++;
            offset = end;
        }
        return -1;
    }

    /** Offset of a readable record behind those that {@link #firstBad} came by, or -1. */
    int nextReadable(int from) {
        for (int offset = from; offset < bytes.capacity(); offset++) {
            OptionalLong index = indexAt(offset);
            if (index.isPresent()
                    && index.getAsLong() > lastIndex
                    && index.getAsLong() <= lastIndex + FARTHEST
                    && endOfRecord(offset) >= 0) {
                return offset;
            }
        }
        return -1;
    }

    /**
     * Where the unreadable record at {@code offset} ends if all of it was written, or -1 if its write may have been cut
     * short.
     */
    int endIfWritten(int offset) {
        Varint length = varint(offset);
        if (length == null || length.value() <= 0) {
            return -1;
        }
        long end = length.end() + length.value() + Integer.BYTES;
        // Behind the last record there is nothing; else it is none, and its length no length.
        if (end > bytes.capacity() || lastWritten() != end - 1) {
            return -1;
        }
        int first = (offset + SECTOR - 1) / SECTOR * SECTOR;
        for (int sector = first; sector + SECTOR <= end; sector += SECTOR) {
            if (isZero(sector)) {
                return -1;
            }
        }
        return (int) end;
    }

    private boolean isZero(int sector) {
        for (int at = sector; at < sector + SECTOR; at++) {
            if (bytes.get(at) != 0) {
                return false;
            }
        }
        return true;
    }

    /** Where the record at {@code offset} ends, or -1 when it is cut short or its sum is wrong. */
    private int endOfRecord(int offset) {
        Varint length = varint(offset);
        if (length == null) {
            return -1;
        }
        long sum = length.end() + length.value();
        if (length.value() <= 0 || sum + Integer.BYTES > bytes.capacity()) {
            return -1;
        }
        CRC32C crc = new CRC32C();
        crc.update(bytes.slice(offset, (int) sum - offset));
        return (int) crc.getValue() == bytes.getInt((int) sum) ? (int) sum + Integer.BYTES : -1;
    }

    /** The index of the entry in what would be the record at {@code offset}. */
    private OptionalLong indexAt(int offset) {
        Varint length = varint(offset);
        if (length == null || tag(length.end()) != TERM_TAG) {
            return OptionalLong.empty();
        }
        Varint term = varint(length.end() + 1);
        if (term == null || tag(term.end()) != INDEX_TAG) {
            return OptionalLong.empty();
        }
        Varint index = varint(term.end() + 1);
        return index == null ? OptionalLong.empty() : OptionalLong.of(index.value());
    }

    private int tag(int offset) {
        return offset < bytes.capacity() ? bytes.get(offset) : 0;
    }

    private @Nullable Varint varint(int offset) {
        long value = 0;
        for (int i = 0; i < 10 && offset + i < bytes.capacity(); i++) {
            byte part = bytes.get(offset + i);
            value |= (long) (part & 0x7f) << (7 * i);
            if (part >= 0) {
                return new Varint(value, offset + i + 1);
            }
        }
        return null;
    }

    /** Offset of the last byte that is not zero. */
    private int lastWritten() {
        int offset = bytes.capacity() - 1;
        while (offset >= 0 && bytes.get(offset) == 0) {
            offset--;
        }
        return offset;
    }

    private record Varint(long value, int end) {}
}
