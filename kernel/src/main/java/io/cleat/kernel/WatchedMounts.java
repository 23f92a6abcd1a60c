package io.cleat.kernel;

import io.cleat.base.Effect;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Retry;
import io.cleat.base.Time;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The mounts of this process's namespace, read again only when the kernel says that something was mounted or unmounted
 * (poll(2) on {@code /proc/self/mountinfo}: POLLPRI), so that many who look at once share one reading, and those who
 * look again have none.
 *
 * <p>A reading counts if nothing was mounted meanwhile, so nothing is missing from it. What the kernel does not tell
 * of, such as a directory above a mount that was renamed, or a file system that turned read-only by itself, is seen
 * after a second at the latest, or as late as who looks wants it ({@link #whole(Duration)}).
 *
 * <p>Guarded by {@code lock}, held while the table is read, which is the kernel's memory.
 */
public final class WatchedMounts implements MountTable.Source, AutoCloseable {
    private static final Duration OLDEST = Duration.ofSeconds(1);
    private static final int TRIES = 20;
    private static final short POLLPRI = 2;

    /** Of struct pollfd: where what is asked for and what is answered stand, and its size. */
    private static final int EVENTS_AT = 4;

    private static final int ANSWER_AT = 6;
    private static final int SIZE = 8;

    private final Time time;
    private final ReentrantLock lock = new ReentrantLock();
    private final int table;
    private @Nullable MountTable known;
    private long readAt;
    private boolean closed;

    private WatchedMounts(int table, Time time) {
        this.table = table;
        this.time = time;
    }

    public static WatchedMounts open(Time time) throws KernelTrouble {
        int table = Libc.open(MountTable.OWN.toString(), Libc.O_RDONLY);
        if (table < 0) {
            throw trouble("opened", -table);
        }
        return new WatchedMounts(table, time);
    }

    @Override
    public MountTable read() throws KernelTrouble {
        return MountTable.read();
    }

    @Override
    public MountTable whole() throws KernelTrouble {
        return whole(OLDEST);
    }

    @Override
    public MountTable whole(Duration oldest) throws KernelTrouble {
        lock.lock();
        try {
            forget(oldest);
            for (int i = 0; i < TRIES && known == null; i++) {
                readAt = time.nanos();
                MountTable now = MountTable.read();
                known = hasChanged() ? null : now;
            }
            if (known == null) {
                throw MountTable.restless(TRIES);
            }
            return known;
        } finally {
            lock.unlock();
        }
    }

    /** Keeps only what is not older, and what nothing was mounted or unmounted since. */
    private void forget(Duration oldest) throws KernelTrouble {
        if (closed) {
            throw new KernelTrouble(
                    "the mount table is not watched any more, as the agent ends", Effect.NONE, Retry.NEVER);
        }
        if (hasChanged() || time.nanos() - readAt > oldest.toNanos()) {
            known = null;
        }
    }

    /** Whether it has since this was asked last. */
    private boolean hasChanged() throws KernelTrouble {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment entry = arena.allocate(SIZE, Integer.BYTES);
            entry.set(ValueLayout.JAVA_INT, 0, table);
            entry.set(ValueLayout.JAVA_SHORT, EVENTS_AT, POLLPRI);
            int result = Libc.poll(entry, 1, 0);
            if (result < 0) {
                throw trouble("watched", -result);
            }
            return (entry.get(ValueLayout.JAVA_SHORT, ANSWER_AT) & POLLPRI) != 0;
        }
    }

    private static KernelTrouble trouble(String what, int errno) {
        return new KernelTrouble(
                "the mount table " + MountTable.OWN + " could not be " + what + ": " + Errno.text(errno),
                Effect.NONE,
                Retry.SAME_CALL);
    }

    @Override
    public void close() {
        lock.lock();
        try {
            if (!closed) {
                closed = true;
                Libc.close(table);
            }
        } finally {
            lock.unlock();
        }
    }
}
