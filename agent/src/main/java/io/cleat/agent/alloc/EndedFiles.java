package io.cleat.agent.alloc;

import io.cleat.agent.alloc.KeptFiles.Left;
import io.cleat.base.Threads;
import io.cleat.base.Time;
import io.cleat.base.Trouble;
import io.cleat.kernel.FileSystems;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ended allocations of a node whose files are still there, by their ends: says which of them
 * gives its files up, one after the other, so that the disk is looked at again after each. How full
 * it is is looked at once a minute.
 *
 * <p>Any thread. Guarded by {@code lock}, never held while the disk is asked or anyone is told.
 */
public final class EndedFiles {
    private static final Logger LOG = LoggerFactory.getLogger(EndedFiles.class);
    private static final Duration PAUSE = Duration.ofMinutes(1);

    private final KeptFiles kept;
    private final Disk disk;
    private final ReentrantLock lock = new ReentrantLock();
    private final NavigableMap<Key, Ended> all =
            new TreeMap<>(Comparator.comparing(Key::at).thenComparing(Key::allocId));

    /** The one that is giving files up; null for none. */
    private @Nullable Key giving;

    /** What any of them may keep, as the disk was seen last. */
    private Left most = Left.ALL;

    public EndedFiles(KeptFiles kept, Disk disk) {
        this.kept = kept;
        this.disk = disk;
    }

    /** Never has anything given up. */
    static EndedFiles keepingAll() {
        return new EndedFiles(
                new KeptFiles(Integer.MAX_VALUE, 100, 100),
                () -> new FileSystems.Usage(0, 0, 0, 0, 0));
    }

    /** Looks at the disk again and again from now on. */
    public Thread start(Threads threads, Time time) {
        return threads.vital(
                "allocations/room",
                () -> {
                    for (; ; ) {
                        time.sleep(PAUSE);
                        look();
                    }
                });
    }

    /** Looks at the disk once. */
    void look() {
        Left seen = seen();
        lock.lock();
        try {
            most = seen;
        } finally {
            lock.unlock();
        }
        tellNext();
    }

    /** The file system of the allocations' directories. */
    @FunctionalInterface
    public interface Disk {
        FileSystems.Usage usage() throws Trouble;
    }

    private record Key(Instant at, String allocId) {
        static Key of(KnownAllocation known) {
            return new Key(known.endedAt(), known.allocId());
        }
    }

    private record Ended(Left left, Consumer<Left> giveUp) {}

    /**
     * One has ended, and has all its files.
     *
     * @param giveUp told what to keep; it is to come back with {@link #gaveUp}
     */
    void ended(KnownAllocation known, Consumer<Left> giveUp) {
        Key key = Key.of(known);
        lock.lock();
        try {
            all.put(key, new Ended(Left.ALL, giveUp));
            rested(key);
        } finally {
            lock.unlock();
        }
        tellNext();
    }

    /** One has nothing but this any more, or cannot give it up: it is not told again. */
    void gaveUp(KnownAllocation known, Left left) {
        Key key = Key.of(known);
        lock.lock();
        try {
            all.computeIfPresent(key, (same, ended) -> new Ended(left, ended.giveUp()));
            rested(key);
        } finally {
            lock.unlock();
        }
        goOn();
    }

    /** One is going to be removed as a whole, however long that takes: it is not told any more. */
    void leaves(KnownAllocation known) {
        Key key = Key.of(known);
        lock.lock();
        try {
            all.remove(key);
            rested(key);
        } finally {
            lock.unlock();
        }
        goOn();
    }

    private void rested(Key key) {
        if (key.equals(giving)) {
            giving = null;
        }
    }

    /** While the disk is short of room, what was just given up may be enough. */
    private void goOn() {
        boolean isShort;
        lock.lock();
        try {
            isShort = most != Left.ALL;
        } finally {
            lock.unlock();
        }
        if (isShort) {
            look();
        } else {
            tellNext();
        }
    }

    /** Tells the next one that is to give something up, if there is one. */
    private void tellNext() {
        Map.Entry<Key, Ended> next;
        lock.lock();
        try {
            Optional<Map.Entry<Key, Ended>> found = giving == null ? next() : Optional.empty();
            if (found.isEmpty()) {
                return;
            }
            next = found.get();
            giving = next.getKey();
        } finally {
            lock.unlock();
        }
        Ended ended = next.getValue();
        ended.giveUp().accept(ended.left() == Left.ALL ? Left.LOGS : Left.NOTHING);
    }

    /** The oldest that has all, if too many have; else the oldest that has logs. */
    private Optional<Map.Entry<Key, Ended>> next() {
        long whole = all.values().stream().filter(ended -> ended.left() == Left.ALL).count();
        if (whole > 0 && (whole > kept.allocations() || most != Left.ALL)) {
            return oldest(Left.ALL);
        }
        return most == Left.NOTHING ? oldest(Left.LOGS) : Optional.empty();
    }

    private Optional<Map.Entry<Key, Ended>> oldest(Left left) {
        return all.entrySet().stream().filter(each -> each.getValue().left() == left).findFirst();
    }

    private Left seen() {
        try {
            return kept.most(disk.usage());
        } catch (Trouble unknown) {
            LOG.warn("how full the disk is, is not known: {}", unknown.reason());
            return Left.ALL;
        }
    }
}
