package io.cleat.agent.volumes;

import io.cleat.base.Deadline;
import io.cleat.base.DiskTrouble;
import io.cleat.base.Effect;
import io.cleat.base.Retry;
import io.cleat.base.Threads;
import io.cleat.base.Time;
import io.cleat.base.Watched;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What this node has begun and owes for its volumes, durable before it is acted upon.
 *
 * <p>Each change is a volume's whole record. Changes that come while others are being made durable share one batch and
 * one fsync. The file is rewritten when it has grown, and after a write that failed, since nobody knows what such a
 * write left.
 *
 * <p>Guarded by {@code lock}, not held while the file is written; the file belongs to the one thread that writes.
 */
public final class Journal implements AutoCloseable {
    private static final int GROWN = 256 << 10;
    private static final int TIMES = 4;

    private static final String WAIT = " changes wait to be written into the journal of volumes";

    private final JournalFile file;
    private final Threads threads;
    private final Time time;
    private volatile Optional<Watched.Head> head = Optional.empty();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final List<Pending> waiting = new ArrayList<>();
    private Map<VolumeKey, VolumeRecord> volumes;
    private boolean writing;
    private long version;
    // Of the writing thread.
    private boolean suspect;
    private long sizeAfterRewrite = GROWN / TIMES;

    /** A change that is not durable yet. */
    private static final class Pending {
        private final JournalFile.Entry entry;
        private boolean ended;
        private @Nullable DiskTrouble failure;

        private Pending(JournalFile.Entry entry) {
            this.entry = entry;
        }
    }

    /**
     * Opens the journal, or makes it.
     *
     * @throws DiskTrouble if it is damaged, or of a newer version, which is named
     */
    public static Journal open(Path path, Threads threads, Time time) throws DiskTrouble {
        return new Journal(new JournalFile(path), threads, time);
    }

    private Journal(JournalFile file, Threads threads, Time time) {
        this.file = file;
        this.threads = threads;
        this.time = time;
        this.volumes = applied(new HashMap<>(), file.found());
    }

    /** What was dropped when it was opened, since it was torn; in words. */
    public Optional<String> torn() {
        return file.torn();
    }

    /**
     * Opens the journal, or makes it where this node never had one.
     *
     * @param witnesses what would not be there if this node had never used a volume, in words
     * @throws DiskTrouble if it is damaged, or of a newer version, which is named; or if it is gone and there is a
     *     witness
     */
    public static Journal open(Path path, List<String> witnesses, Threads threads, Time time) throws DiskTrouble {
        JournalFile.requireNotLost(path, witnesses);
        return open(path, threads, time);
    }

    /**
     * Refuses a journal of volumes that lie elsewhere: its data directory was moved, and what is mounted is where it
     * was.
     *
     * @param root below which this agent mounts volumes
     * @throws DiskTrouble without effect
     */
    public void requireBelow(Path root) throws DiskTrouble {
        Optional<Path> elsewhere = volumes().stream()
                .flatMap(VolumeRecord::hostPaths)
                .filter(path -> !path.startsWith(root))
                .findFirst();
        if (elsewhere.isPresent()) {
            throw file.isOf(elsewhere.get(), root);
        }
    }

    VolumeRecord volume(VolumeKey key) {
        return snapshot().getOrDefault(key, VolumeRecord.none(key));
    }

    List<VolumeRecord> volumes() {
        return List.copyOf(snapshot().values());
    }

    /** The volume that an allocation uses under that name. */
    Optional<VolumeRecord> usedBy(String allocId, String alias) {
        return snapshot().values().stream()
                .filter(volume -> volume.use(allocId, alias).isPresent())
                .findFirst();
    }

    /**
     * Writes down how a volume is from now on; one with nothing of it left is forgotten. Durable when it returns; an
     * interruption is kept for later.
     *
     * @throws DiskTrouble if it is not written down
     */
    void keep(VolumeRecord volume) throws DiskTrouble {
        Pending own = new Pending(
                volume.isEmpty()
                        ? new JournalFile.Entry.Gone(volume.pluginId(), volume.externalId())
                        : new JournalFile.Entry.Kept(volume));
        JournalFile.requireWritable(own.entry);
        lock.lock();
        try {
            waiting.add(own);
            if (!writing) {
                writing = true;
                threads.vitalWork("journal/write", this::writeAll);
            }
            while (!own.ended) {
                changed.awaitUninterruptibly();
            }
            if (own.failure != null) {
                throw new DiskTrouble(own.failure.reason(), own.failure.effect(), own.failure.retry(), own.failure);
            }
        } finally {
            lock.unlock();
        }
    }

    /** The changes that are being written, for a watchdog. */
    public Optional<Watched.Head> head() {
        return head;
    }

    /** How many changes there were; see {@link #awaitChange}. */
    long version() {
        lock.lock();
        try {
            return version;
        } finally {
            lock.unlock();
        }
    }

    /** Blocks until there were more changes than {@code seen}, or until {@code deadline}. */
    void awaitChange(long seen, Deadline deadline) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (version == seen && !deadline.isExpired()) {
                time.await(changed, deadline);
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() throws DiskTrouble {
        file.close();
    }

    private Map<VolumeKey, VolumeRecord> snapshot() {
        lock.lock();
        try {
            return volumes;
        } finally {
            lock.unlock();
        }
    }

    private void writeAll() {
        for (List<Pending> batch = next(); !batch.isEmpty(); batch = next()) {
            List<JournalFile.Entry> entries =
                    batch.stream().map(pending -> pending.entry).toList();
            Map<VolumeKey, VolumeRecord> after = applied(new HashMap<>(snapshot()), entries);
            @Nullable DiskTrouble failure = new DiskTrouble("the journal's writer ended", Effect.NONE, Retry.SAME_CALL);
            try {
                failure = write(entries, after);
            } finally {
                end(batch, after, failure);
            }
        }
    }

    private List<Pending> next() {
        lock.lock();
        try {
            List<Pending> batch = List.copyOf(waiting);
            head = batch.isEmpty() ? Optional.empty() : Optional.of(new Watched.Head(batch, batch.size() + WAIT));
            waiting.clear();
            writing = !batch.isEmpty();
            return batch;
        } finally {
            lock.unlock();
        }
    }

    private void end(List<Pending> batch, Map<VolumeKey, VolumeRecord> after, @Nullable DiskTrouble failure) {
        lock.lock();
        try {
            if (failure == null) {
                volumes = after;
                version += batch.size();
            }
            for (Pending pending : batch) {
                pending.failure = failure;
                pending.ended = true;
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private @Nullable DiskTrouble write(List<JournalFile.Entry> entries, Map<VolumeKey, VolumeRecord> after) {
        boolean grown = file.size() > Math.max(GROWN, TIMES * sizeAfterRewrite);
        try {
            if (suspect || grown) {
                try {
                    file.rewrite(after.values().stream()
                            .<JournalFile.Entry>map(JournalFile.Entry.Kept::new)
                            .toList());
                    suspect = false;
                    sizeAfterRewrite = file.size();
                    return null;
                } catch (DiskTrouble noRoom) {
                    if (suspect) {
                        return noRoom;
                    }
                }
            }
            file.append(entries);
            return null;
        } catch (DiskTrouble failure) {
            suspect = true;
            return failure;
        }
    }

    private static Map<VolumeKey, VolumeRecord> applied(
            Map<VolumeKey, VolumeRecord> before, List<JournalFile.Entry> entries) {
        for (JournalFile.Entry entry : entries) {
            switch (entry) {
                case JournalFile.Entry.Kept(VolumeRecord volume) -> before.put(volume.key(), volume);
                case JournalFile.Entry.Gone(String pluginId, String externalId) ->
                    before.remove(new VolumeKey(pluginId, externalId));
            }
        }
        return before;
    }
}
