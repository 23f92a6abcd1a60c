package io.cleat.csi;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.cleat.base.Deadline;
import io.cleat.base.Time;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What one service of a plugin has announced, asked before a call that not every plugin offers.
 *
 * <p>An announcement is believed for half a minute, since a plugin may be replaced behind its socket; that something is
 * not announced is never believed without asking anew. Guarded by {@code lock}, never held during a call.
 */
final class Abilities<C extends Enum<C>> {
    private static final long BELIEVED = Duration.ofSeconds(30).toNanos();

    /** Asks the plugin. */
    interface Asking<C> {
        Set<C> ask(Deadline deadline) throws CsiTrouble, InterruptedException;
    }

    private final String plugin;
    private final Asking<C> asking;
    private final Time time;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private Set<C> announced = Set.of();

    @GuardedBy("lock")
    private long asked;

    Abilities(String plugin, Time time, Asking<C> asking) {
        this.plugin = plugin;
        this.time = time;
        this.asking = asking;
    }

    /**
     * Returns if {@code needed} is announced.
     *
     * @throws CsiRejected if it is not: {@code call} was not sent
     * @throws CsiTrouble if the plugin cannot be asked: {@code call} was not sent
     */
    void require(C needed, Call<?, ?, ?> call, Deadline deadline) throws CsiTrouble, InterruptedException {
        if (isBelieved(needed)) {
            return;
        }
        Set<C> now = asking.ask(deadline);
        lock.lock();
        try {
            announced = now;
            asked = time.nanos();
        } finally {
            lock.unlock();
        }
        if (!now.contains(needed)) {
            throw new Ending(plugin, call, 0, false).notAnnounced(needed.name());
        }
    }

    private boolean isBelieved(C needed) {
        lock.lock();
        try {
            return announced.contains(needed) && time.nanos() - asked < BELIEVED;
        } finally {
            lock.unlock();
        }
    }
}
