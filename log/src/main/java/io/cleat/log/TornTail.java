package io.cleat.log;

import io.cleat.base.DiskTrouble;
import io.cleat.base.Effect;
import io.cleat.base.Retry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Looks at the open segment before Ratis does, and cuts off a record that a crash left half
 * written.
 *
 * <p>Ratis drops a record that the end of the file cuts short, but refuses one whose space was
 * already there, which is the common case with preallocated segments; told to tolerate that, it
 * would also drop records in the middle without a word. Here a bad record is the torn end only when
 * no readable record follows it: what was acknowledged had been flushed, and so had everything
 * before it. Nor is a record torn that was written to its end: a write that power cut short leaves
 * zeros at the end, or in place of whole sectors. Otherwise the log is damaged, and nothing is
 * changed. A torn record whose place looks like that by chance, or a rotten one that looks torn, is
 * not told apart here: whoever keeps a note of what was acknowledged compares it, and so do nodes
 * that have acted on it.
 *
 * <p>Segment: the header {@code RaftLog1}; per record its length as a varint, an entry (field 1
 * term, field 2 index), CRC32C of both, big endian; zeros up to the end.
 */
final class TornTail {
    private static final byte[] HEADER = "RaftLog1".getBytes(StandardCharsets.US_ASCII);
    private static final int FARTHEST = 1 << 20;

    /** What a disk writes whole or not at all, in bytes. */
    private static final int SECTOR = 512;

    private static final String KEPT = "torn-";
    private static final int MOST_KEPT = 4;
    private static final byte TERM_TAG = 0x08;
    private static final byte INDEX_TAG = 0x10;

    private final Path file;
    private final ByteBuffer bytes;
    private long lastIndex = -1;

    private TornTail(Path file, ByteBuffer bytes) {
        this.file = file;
        this.bytes = bytes;
    }

    /**
     * Cuts the torn end off the open segment in {@code directory}, durably, and keeps it: nobody
     * knows here whether it was acknowledged.
     *
     * @param beside where what is cut off is kept, in files {@code torn-N} behind record N
     * @return how many bytes were dropped; 0 when the end is whole or there is no open segment
     */
    static long cut(Path directory, Path beside) throws DiskTrouble {
        if (!Files.isDirectory(directory)) {
            return 0;
        }
        try (DirectoryStream<Path> open = Files.newDirectoryStream(directory, "log_inprogress_*")) {
            long dropped = 0;
            for (Path file : open) {
                dropped +=
                        new TornTail(file, ByteBuffer.wrap(Files.readAllBytes(file))).cut(beside);
            }
            return dropped;
        } catch (IOException unreadable) {
            throw new DiskTrouble(
                    "cannot check the end of the log in " + directory + ": " + unreadable,
                    Effect.NONE,
                    Retry.NEVER,
                    unreadable);
        }
    }

    private long cut(Path beside) throws IOException, DiskTrouble {
        if (!hasHeader()) {
            return 0; // a half-written header is Ratis' to judge: there is no record behind it
        }
        int bad = firstBad();
        if (bad < 0) {
            return 0;
        }
        int readable = nextReadable(bad + 1);
        if (readable >= 0) {
            throw new DiskTrouble(
                    "the log is damaged: "
                            + file
                            + " has an unreadable record at byte "
                            + bad
                            + " and a readable one at byte "
                            + readable
                            + "; entries that were acknowledged may be gone. Put the directory back"
                            + " from a copy; nodes that have acted on what the copy lacks put the"
                            + " cluster into recovery: see docs/other-past.md",
                    Effect.NONE,
                    Retry.NEVER);
        }
        int end = endIfWritten(bad);
        if (end >= 0) {
            throw new DiskTrouble(
                    "the log is damaged: the last record of "
                            + file
                            + ", at byte "
                            + bad
                            + ", was written to its end at byte "
                            + end
                            + ", and its check sum is wrong: the disk has changed it, and it may"
                            + " have been acknowledged. Put the directory back from a copy, or"
                            + " go on without that record: keep a copy of the file, and cut it by"
                            + " truncate -s "
                            + bad
                            + ". Nodes that have acted on what is lost put the cluster into"
                            + " recovery: see docs/other-past.md",
                    Effect.NONE,
                    Retry.NEVER);
        }
        keep(bad, beside);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(bad);
            channel.force(true);
        }
        return lastWritten() + 1L - bad;
    }

    private void keep(int from, Path beside) throws IOException {
        Path kept = beside.resolve(KEPT + "%020d".formatted(lastIndex + 1));
        try (FileChannel channel =
                FileChannel.open(
                        kept,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.TRUNCATE_EXISTING,
                        StandardOpenOption.WRITE)) {
            ByteBuffer left = bytes.slice(from, lastWritten() + 1 - from);
            while (left.hasRemaining()) {
                channel.write(left);
            }
            channel.force(true);
        }
        try (Stream<Path> all = Files.list(beside)) {
            List<Path> older =
                    all.filter(path -> path.getFileName().toString().startsWith(KEPT))
                            .sorted(Comparator.reverseOrder())
                            .skip(MOST_KEPT)
                            .toList();
            for (Path path : older) {
                Files.delete(path);
            }
        }
        LogIdentity.syncDirectory(beside);
    }

    /**
     * Where the unreadable record at {@code offset} ends if all of it was written, or -1 if its
     * write may have been cut short.
     */
    private int endIfWritten(int offset) {
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

    private boolean hasHeader() {
        return bytes.capacity() >= HEADER.length
                && bytes.slice(0, HEADER.length).equals(ByteBuffer.wrap(HEADER));
    }

    /** Offset of the first record that is not readable, or -1 when there is none. */
    private int firstBad() {
        int offset = HEADER.length;
        while (offset < bytes.capacity()) {
            if (bytes.get(offset) == 0) {
                return lastWritten() < offset ? -1 : offset;
            }
            int end = endOfRecord(offset);
            if (end < 0) {
                return offset;
            }
            lastIndex = Math.max(lastIndex, indexAt(offset).orElse(lastIndex));
            offset = end;
        }
        return -1;
    }

    private int nextReadable(int from) {
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
