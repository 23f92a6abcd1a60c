package io.cleat.log;

import io.cleat.base.DiskTrouble;
import io.cleat.base.Effect;
import io.cleat.base.Retry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The end of the open segment, where a crash left a record half written. It is looked at before Ratis does, and cut
 * off.
 *
 * <p>Ratis drops a record that the end of the file cuts short, but refuses one whose space was already there, which is
 * the common case with preallocated segments; told to tolerate that, it would also drop records in the middle without a
 * word. Here a bad record is the torn end only when no readable record follows it: what was acknowledged had been
 * flushed, and so had everything before it. Nor is a record torn that was written to its end: a write that power cut
 * short leaves zeros at the end, or in place of whole sectors. Otherwise the log is damaged, and nothing is changed. A
 * torn record whose place looks like that by chance, or a rotten one that looks torn, is not told apart here: whoever
 * keeps a note of what was acknowledged compares it, and so do nodes that have acted on it.
 */
final class TornTail {
    private static final String KEPT = "torn-";
    private static final int MOST_KEPT = 4;

    private final Segment segment;
    private final int from;

    private TornTail(Segment segment, int from) {
        this.segment = segment;
        this.from = from;
    }

    /**
     * Cuts the torn end off the open segment in {@code directory}, durably, and keeps it: nobody knows here whether it
     * was acknowledged.
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
                Optional<TornTail> torn = of(Segment.read(file));
                if (torn.isPresent()) {
                    dropped += torn.get().bytes();
                    torn.get().cut(beside);
                }
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

    /**
     * The torn end of an open segment; empty if that is whole.
     *
     * @throws DiskTrouble if it is damaged: what is unreadable is no torn end
     */
    static Optional<TornTail> of(Segment segment) throws DiskTrouble {
        if (!segment.hasHeader()) {
            // A half-written header is Ratis' to judge: there is no record behind it.
            return Optional.empty();
        }
        int bad = segment.firstBad();
        if (bad < 0) {
            return Optional.empty();
        }
        int readable = segment.nextReadable(bad + 1);
        if (readable >= 0) {
            throw new DiskTrouble(
                    "the log is damaged: "
                            + segment.file()
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
        int end = segment.endIfWritten(bad);
        if (end >= 0) {
            throw new DiskTrouble(
                    "the log is damaged: the last record of "
                            + segment.file()
                            + ", at byte "
                            + bad
                            + ", was written to its end at byte "
                            + end
                            + ", and its check sum is wrong: the disk has changed it, and it may"
                            + " have been acknowledged. Put the directory back from a copy, or"
                            + " go on without that record: keep a copy of the file, and cut it by"
                            + " truncate -s "
                            + bad
                            + ". Nodes that have acted on what is lost put the cluster into recovery: see "
                            + "docs/other-past.md",
                    Effect.NONE,
                    Retry.NEVER);
        }
        return Optional.of(new TornTail(segment, bad));
    }

    /** How many bytes are to be taken off. */
    long bytes() {
        return segment.writtenFrom(from).remaining();
    }

    private void cut(Path beside) throws IOException {
        keep(beside);
        try (FileChannel channel = FileChannel.open(segment.file(), StandardOpenOption.WRITE)) {
            channel.truncate(from);
            channel.force(true);
        }
    }

    private void keep(Path beside) throws IOException {
        Path kept = beside.resolve(KEPT + "%020d".formatted(segment.lastIndex() + 1));
        try (FileChannel channel = FileChannel.open(
                kept, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            ByteBuffer left = segment.writtenFrom(from);
            while (left.hasRemaining()) {
                channel.write(left);
            }
            channel.force(true);
        }
        try (Stream<Path> all = Files.list(beside)) {
            List<Path> older = all.filter(path -> path.getFileName().toString().startsWith(KEPT))
                    .sorted(Comparator.reverseOrder())
                    .skip(MOST_KEPT)
                    .toList();
            for (Path path : older) {
                Files.delete(path);
            }
        }
        LogIdentity.syncDirectory(beside);
    }
}
