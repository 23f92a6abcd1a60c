package io.cleat.agent.volumes;

import io.cleat.base.DiskTrouble;
import io.cleat.base.Effect;
import io.cleat.base.Retry;
import io.cleat.codec.RecordCodec;
import io.cleat.kernel.DurableFiles;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The journal's file: a header, then batches, each in the envelope of {@link RecordCodec}, which carries its length and
 * checksum. A batch is there whole or not at all.
 *
 * <p>Used by one thread at a time.
 */
final class JournalFile implements AutoCloseable {
    static final RecordCodec<Head> HEAD = RecordCodec.stored("vjhd", 1, Head.class);
    static final RecordCodec<Batch> BATCH = RecordCodec.stored("vjrn", 2, Batch.class);

    private static final int SHOWN = 3;

    private static final int ENVELOPE = JournalEnd.ENVELOPE;
    private static final String KEPT = ".torn-";
    private static final int MOST_KEPT = 4;

    private static final String WITHOUT =
            "Nothing is mounted or unmounted without it. Keep the file, and see what is mounted"
                    + " below the volume root before you take it away";

    /**
     * The first record.
     *
     * @param generation how often the file was rewritten
     */
    record Head(long generation) {}

    /** What was made durable together. */
    record Batch(List<Entry> entries) {
        Batch {
            entries = List.copyOf(entries);
        }
    }

    /** What changed. */
    sealed interface Entry {
        /** The volume is like this from now on. */
        record Kept(VolumeRecord volume) implements Entry {}

        /** Nothing of the volume is left. */
        record Gone(String pluginId, String externalId) implements Entry {}
    }

    private final Path path;
    private final long generation;
    private final List<Entry> found = new ArrayList<>();
    private @Nullable String torn;
    private long rewrites;
    private FileChannel channel;
    private long end;

    /**
     * Refuses to go on without a journal where there must have been one.
     *
     * @param witnesses what would not be there without one, in words
     * @throws DiskTrouble without effect
     */
    static void requireNotLost(Path path, List<String> witnesses) throws DiskTrouble {
        if (!witnesses.isEmpty() && Files.notExists(path)) {
            throw new DiskTrouble(
                    "the journal of volumes "
                            + path
                            + " is gone, and what it tells of may be here: "
                            + few(witnesses)
                            + ". Nothing was touched. Put the file back from a copy; or end what"
                            + " runs here, unmount what is mounted below the volume root, remove"
                            + " the files of the allocations, and start again",
                    Effect.NONE,
                    Retry.NEVER);
        }
    }

    private static String few(List<String> all) {
        int shown = Math.min(SHOWN, all.size());
        return String.join(", ", all.subList(0, shown))
                + (shown < all.size() ? " and " + (all.size() - shown) + " more" : "");
    }

    /**
     * Opens the file, or makes it. A torn last batch is taken off, and kept in a file beside it; anything else that
     * cannot be read is refused.
     */
    JournalFile(Path path) throws DiskTrouble {
        this.path = path;
        try {
            // One of which the disk does not say whether it is there is not written over.
            if (Files.notExists(path)) {
                DurableFiles.write(path, HEAD.encodeForFile(new Head(0)));
            }
            byte[] bytes = Files.readAllBytes(path);
            int first = frame(bytes, 0);
            if (first < 0) {
                throw damaged(0, "its header is not whole");
            }
            this.generation = generation(Arrays.copyOfRange(bytes, 0, first));
            this.end = read(bytes, first);
            this.channel = FileChannel.open(path, StandardOpenOption.WRITE);
            if (end < bytes.length) {
                keep(Arrays.copyOfRange(bytes, (int) end, bytes.length));
                channel.truncate(end);
                channel.force(true);
            }
        } catch (IOException failed) {
            throw trouble("opening", failed);
        }
    }

    /** What the file held when it was opened, in order. */
    List<Entry> found() {
        return List.copyOf(found);
    }

    /**
     * Keeps what is taken off: that nobody was told of it is likely, and not known. Of all that was ever taken off the
     * newest stays.
     */
    private void keep(byte[] dropped) throws DiskTrouble, IOException {
        Path kept = path.resolveSibling(path.getFileName() + KEPT + "%010d-%010d".formatted(generation, end));
        DurableFiles.write(kept, dropped);
        torn = "the last record, " + dropped.length + " bytes from byte " + end + ", which are kept in " + kept;
        List<Path> all = new ArrayList<>();
        Path directory = Objects.requireNonNull(path.toAbsolutePath().getParent());
        try (DirectoryStream<Path> found = Files.newDirectoryStream(directory, path.getFileName() + KEPT + "*")) {
            found.forEach(all::add);
        }
        all.sort(Comparator.reverseOrder());
        for (Path older : all.subList(Math.min(MOST_KEPT, all.size()), all.size())) {
            DurableFiles.delete(older);
        }
    }

    /** What was dropped when it was opened, and where it is kept, in words. */
    Optional<String> torn() {
        return Optional.ofNullable(torn);
    }

    long size() {
        return end;
    }

    /**
     * Refuses, before anyone shares a batch with it, what could not be read back.
     *
     * @throws DiskTrouble without effect
     */
    static void requireWritable(Entry entry) throws DiskTrouble {
        BATCH.encodeForFile(new Batch(List.of(entry)));
    }

    /**
     * Adds a batch, durable when it returns.
     *
     * @throws DiskTrouble if it may not be: the file must be rewritten before anything is added
     */
    void append(List<Entry> entries) throws DiskTrouble {
        byte[] frame = BATCH.encodeForFile(new Batch(entries));
        try {
            ByteBuffer left = ByteBuffer.wrap(frame);
            for (long at = end; left.hasRemaining(); ) {
                at += channel.write(left, at);
            }
            channel.force(false);
            end += frame.length;
        } catch (IOException failed) {
            try {
                channel.truncate(end);
            } catch (IOException stays) {
                // What stays is a torn batch, which is dropped, or one that was written in vain.
                failed.addSuppressed(stays);
            }
            throw trouble("writing to", failed);
        }
    }

    /** Replaces all by what {@code entries} says, or leaves all as it is. */
    void rewrite(List<Entry> entries) throws DiskTrouble {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes(HEAD.encodeForFile(new Head(generation + rewrites + 1)));
        bytes.writeBytes(BATCH.encodeForFile(new Batch(entries)));
        DurableFiles.write(path, bytes.toByteArray());
        try {
            channel.close();
            channel = FileChannel.open(path, StandardOpenOption.WRITE);
        } catch (IOException failed) {
            throw trouble("opening", failed);
        }
        rewrites++;
        end = bytes.size();
    }

    @Override
    public void close() throws DiskTrouble {
        try {
            channel.close();
        } catch (IOException failed) {
            throw trouble("closing", failed);
        }
    }

    /** Reads the batches from {@code offset} on; returns where what is good ends. */
    private int read(byte[] bytes, int offset) throws DiskTrouble {
        int at = offset;
        while (at < bytes.length) {
            int next = frame(bytes, at);
            Optional<List<Entry>> entries = next < 0 ? Optional.empty() : batch(bytes, at, next);
            if (entries.isEmpty()) {
                if (isFollowedByWhole(bytes, at)) {
                    throw damaged(at, "what stands there is damaged, and whole records follow it");
                }
                if (!JournalEnd.isTorn(bytes, at)) {
                    throw changed(at);
                }
                return at;
            }
            found.addAll(entries.get());
            at = next;
        }
        return at;
    }

    /** Empty if those bytes are no whole batch. */
    private Optional<List<Entry>> batch(byte[] bytes, int at, int end) throws DiskTrouble {
        byte[] frame = Arrays.copyOfRange(bytes, at, end);
        requireKnownVersion(frame);
        try {
            return Optional.of(BATCH.decode(frame).entries());
        } catch (DiskTrouble unreadable) {
            return Optional.empty();
        }
    }

    /** Whether this cannot be the torn end: only the last write can be torn. */
    private boolean isFollowedByWhole(byte[] bytes, int at) throws DiskTrouble {
        for (int i = at + 1; i <= bytes.length - ENVELOPE; i++) {
            if (isNamed(bytes, i)) {
                int end = frame(bytes, i);
                if (end >= 0 && batch(bytes, i, end).isPresent()) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean isNamed(byte[] bytes, int at) {
        return bytes[at] == 'v' && bytes[at + 1] == 'j' && bytes[at + 2] == 'r' && bytes[at + 3] == 'n';
    }

    /** Where the envelope at {@code at} ends; negative if the bytes end before it. */
    private static int frame(byte[] bytes, int at) {
        if (bytes.length - at < ENVELOPE) {
            return -1;
        }
        int length = ByteBuffer.wrap(bytes).getInt(at + ENVELOPE - 4);
        return length < 0 || length > bytes.length - at - ENVELOPE ? -1 : at + ENVELOPE + length;
    }

    private long generation(byte[] head) throws DiskTrouble {
        try {
            return HEAD.decode(head).generation();
        } catch (DiskTrouble unreadable) {
            throw damaged(0, unreadable.reason());
        }
    }

    /** A newer batch is not a torn one. */
    private void requireKnownVersion(byte[] frame) throws DiskTrouble {
        if (BATCH.isNewer(frame)) {
            throw damaged(
                    -1,
                    "it has records of version "
                            + (ByteBuffer.wrap(frame).getShort(4) & 0xffff)
                            + ", this program reads up to "
                            + BATCH.version()
                            + "; use the program that wrote it, or a newer one");
        }
    }

    private DiskTrouble damaged(int at, String why) {
        return damaged(at, why, WITHOUT);
    }

    private DiskTrouble changed(int at) {
        return damaged(
                at,
                "what stands there was written to its end and its check sum is wrong, so it was"
                        + " changed since, and may have been acted upon",
                "Nothing is mounted or unmounted. Put the file back from a copy; or go on without"
                        + " that: keep a copy of the file, and cut it by: truncate -s "
                        + at
                        + " "
                        + path
                        + " ; allocations whose mounts it then knows nothing of are quarantined");
    }

    private DiskTrouble damaged(int at, String why, String wayOn) {
        return new DiskTrouble(
                "the journal of volumes "
                        + path
                        + " cannot be read"
                        + (at < 0 ? "" : " at byte " + at)
                        + ": "
                        + why
                        + ". "
                        + wayOn,
                Effect.NONE,
                Retry.NEVER);
    }

    /** It speaks of {@code volume}, and this agent's lie below {@code root}. */
    DiskTrouble isOf(Path volume, Path root) {
        return new DiskTrouble(
                "the journal of volumes "
                        + path
                        + " says that "
                        + volume
                        + " is a volume's, and this agent has its volumes below "
                        + root
                        + ": its data directory was moved, or is called otherwise. Nothing is"
                        + " mounted or unmounted. Start it with the data directory where it was;"
                        + " to move it, drain the node first",
                Effect.NONE,
                Retry.NEVER);
    }

    private DiskTrouble trouble(String doing, IOException failed) {
        return new DiskTrouble(
                doing + " the journal of volumes " + path + " failed: " + failed, Effect.NONE, Retry.SAME_CALL, failed);
    }
}
