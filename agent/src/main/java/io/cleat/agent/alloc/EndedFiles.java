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
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ended allocations of a node whose files are still there, by their ends: says which of them gives its files up,
 * one after the other, so that the disk is looked at again after each. How full it is is looked at once a minute.
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

    /** Of these nothing is to be left, since somebody said so, and something is. */
    private final NavigableSet<Key> unwanted = new TreeSet<>();

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
        return new EndedFiles(new KeptFiles(Integer.MAX_VALUE, 100, 100), () -> new FileSystems.Usage(0, 0, 0, 0, 0));
    }

    /** Looks at the disk again and again from now on. */
    public Thread start(Threads threads, Time time) {
        return threads.vital("allocations/room", () -> {
            for (; ; ) {
                time.sleep(PAUSE);
                look();
            }
        });
    }

    /**
     * Has one that has ended give up all its files, as soon as it is its turn; also one whose end is not told of yet.
     */
    void giveUp(KnownAllocation known) {
        Key key = Key.of(known);
        lock.lock();
        try {
            if (!with(Left.NOTHING).containsKey(key)) {
                unwanted.add(key);
            }
        } finally {
            lock.unlock();
        }
        tellNext();
    }

    /** Has all that have ended give up their files, one after the other. */
    void giveUpAll() {
        lock.lock();
        try {
            unwanted.addAll(with(Left.ALL).keySet());
            unwanted.addAll(with(Left.LOGS).keySet());
        } finally {
            lock.unlock();
        }
        tellNext();
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
            if (left == Left.NOTHING) {
                unwanted.remove(key);
            }
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
            unwanted.remove(key);
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
        GivingUp next;
        lock.lock();
        try {
            if (giving != null) {
                return;
            }
            Optional<GivingUp> found = nextUnwanted().or(this::next);
            if (found.isEmpty()) {
                return;
            }
            next = found.get();
            giving = next.key();
        } finally {
            lock.unlock();
        }
        next.giveUp().accept(next.most());
    }

    /**
     * What one is told.
     *
     * @param most what it may keep
     */
    private record GivingUp(Key key, Consumer<Left> giveUp, Left most) {}

    /** The oldest of those that have all, if too many have, or of those with logs. */
    private Optional<GivingUp> next() {
        int whole = with(Left.ALL).size();
        if (whole > 0 && (whole > kept.allocations() || most != Left.ALL)) {
            return Optional.of(givingUp(with(Left.ALL).firstEntry(), Left.LOGS));
        }
        return most == Left.NOTHING && !with(Left.LOGS).isEmpty()
                ? Optional.of(givingUp(with(Left.LOGS).firstEntry(), Left.NOTHING))
                : Optional.empty();
    }

    private static GivingUp givingUp(Map.Entry<Key, Consumer<Left>> one, Left most) {
        return new GivingUp(one.getKey(), one.getValue(), most);
    }

    private Optional<GivingUp> nextUnwanted() {
        return unwanted.stream()
                .flatMap(key -> withFiles(key).map(giveUp -> new GivingUp(key, giveUp, Left.NOTHING)))
                .findFirst();
    }

    private Stream<Consumer<Left>> withFiles(Key key) {
        return Stream.of(Left.ALL, Left.LOGS)
                .flatMap(left -> Stream.ofNullable(with(left).get(key)));
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
