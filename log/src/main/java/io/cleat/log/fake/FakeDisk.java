package io.cleat.log.fake;

import io.cleat.base.DiskTrouble;
import io.cleat.log.LogApplier;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * What a {@link FakeLog} has made durable; outlives the log as a directory outlives a process. Used by one log at a
 * time.
 */
public final class FakeDisk {
    /** A committed entry. */
    static final class Entry {
        private final long index;
        private final byte[] bytes;

        Entry(long index, byte[] bytes) {
            this.index = index;
            this.bytes = bytes;
        }

        long index() {
            return index;
        }

        byte[] bytes() {
            return bytes;
        }
    }

    final List<Entry> entries = new ArrayList<>();
    byte[] snapshot = new byte[0];
    long snapshotIndex = -1;
    long lastIndex = -1;
    long term;

    /** Appends a committed entry, {@code hole} indexes after its predecessor's next. */
    Entry commit(byte[] bytes, long hole) {
        lastIndex += 1 + hole;
        Entry entry = new Entry(lastIndex, bytes);
        entries.add(entry);
        return entry;
    }

    /** Makes {@code image} the snapshot, and drops the entries that it holds. */
    void keep(long index, LogApplier.Image image) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            image.writeTo(bytes);
        } catch (IOException impossible) {
            throw new IllegalStateException("writing to memory cannot fail", impossible);
        }
        snapshot = bytes.toByteArray();
        snapshotIndex = index;
        entries.removeIf(entry -> entry.index() <= index);
    }

    void restore(LogApplier target) throws IOException, DiskTrouble {
        target.readSnapshot(snapshotIndex, new ByteArrayInputStream(snapshot));
    }

    /** What is durable now, to be put back by {@link #become}. */
    public FakeDisk copy() {
        FakeDisk copy = new FakeDisk();
        copy.become(this);
        return copy;
    }

    /** An older copy is put into its place; no log uses it. */
    public void become(FakeDisk other) {
        entries.clear();
        entries.addAll(other.entries);
        snapshot = other.snapshot.clone();
        snapshotIndex = other.snapshotIndex;
        lastIndex = other.lastIndex;
        term = other.term;
    }

    /**
     * The last entries rot, though they were committed, and are dropped; no log uses it.
     *
     * @return how many; those that a snapshot holds stay
     */
    public int loseLast(int most) {
        int lost = Math.min(most, entries.size());
        entries.subList(entries.size() - lost, entries.size()).clear();
        lastIndex = entries.isEmpty() ? snapshotIndex : entries.getLast().index();
        return lost;
    }

    /** Number of entries that no snapshot holds. */
    public int size() {
        return entries.size();
    }
}
