package io.cleat.agent.alloc;

import io.cleat.agent.alloc.KeptFiles.Left;
import io.cleat.base.Threads;
import io.cleat.base.Time;
import io.cleat.base.Trouble;
import io.cleat.kernel.FileSystems;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.stream.Stream;
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

    /** By what each has left, since there may be thousands: oldest first, with whom to tell. */
    private final Map<Left, NavigableMap<Key, Consumer<Left>>> all = new EnumMap<>(Left.class);

    /** The one that is giving files up; null for none. */
    private @Nullable Key giving;

    /** What any of them may keep, as the disk was seen last. */
    private Left most = Left.ALL;

    public EndedFiles(KeptFiles kept, Disk disk) {
        this.kept = kept;
        this.disk = disk;
        for (Left left : Left.values()) {
            all.put(left, new TreeMap<>());
        }
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

    private record Key(Instant at, String allocId) implements Comparable<Key> {
        private static final Comparator<Key> ORDER =
                Comparator.comparing(Key::at).thenComparing(Key::allocId);

        static Key of(KnownAllocation known) {
            return new Key(known.endedAt(), known.allocId());
        }

        @Override
        public int compareTo(Key other) {
            return ORDER.compare(this, other);
        }
    }

    /**
     * One has ended, and has all its files.
     *
     * @param giveUp told what to keep; it is to come back with {@link #gaveUp}
     */
    void ended(KnownAllocation known, Consumer<Left> giveUp) {
        Key key = Key.of(known);
        lock.lock();
        try {
            with(Left.ALL).put(key, giveUp);
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
            remove(key).ifPresent(giveUp -> with(left).put(key, giveUp));
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
            remove(key);
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

    private NavigableMap<Key, Consumer<Left>> with(Left left) {
        return Objects.requireNonNull(all.get(left));
    }

    private Optional<Consumer<Left>> remove(Key key) {
        return all.values().stream()
                .flatMap(some -> Stream.ofNullable(some.remove(key)))
                .findFirst();
    }

    /** Tells the next one that is to give something up, if there is one. */
    private void tellNext() {
        Consumer<Left> giveUp;
        Left most;
        lock.lock();
        try {
            Optional<Left> from = giving == null ? next() : Optional.empty();
            if (from.isEmpty()) {
                return;
            }
            Map.Entry<Key, Consumer<Left>> oldest = with(from.get()).firstEntry();
            giving = oldest.getKey();
            giveUp = oldest.getValue();
            most = from.get() == Left.ALL ? Left.LOGS : Left.NOTHING;
        } finally {
            lock.unlock();
        }
        giveUp.accept(most);
    }

    /** Of which the oldest gives up: those that have all, if too many have, or those with logs. */
    private Optional<Left> next() {
        int whole = with(Left.ALL).size();
        if (whole > 0 && (whole > kept.allocations() || most != Left.ALL)) {
            return Optional.of(Left.ALL);
        }
        return most == Left.NOTHING && !with(Left.LOGS).isEmpty()
                ? Optional.of(Left.LOGS)
                : Optional.empty();
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
