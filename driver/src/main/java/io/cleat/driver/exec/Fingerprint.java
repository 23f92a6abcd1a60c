package io.cleat.driver.exec;

import io.cleat.base.Deadline;
import io.cleat.base.Threads;
import io.cleat.base.Time;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What the last look for a runtime found. Looking takes a tenth of a second and more, so it is done beside whoever
 * asks, first when the driver is made; without a runtime it is done again now and then when somebody asks.
 *
 * <p>Guarded by {@code lock}, never held while it is looked.
 */
final class Fingerprint {
    private static final Duration AGAIN = Duration.ofMinutes(1);

    /** For the first outcome; a runtime that hangs takes longer, and whoever asks must go on. */
    private static final Duration WITHIN = Duration.ofSeconds(10);

    private final RuntimeProbe probe;
    private final Threads threads;
    private final Time time;
    private final Runnable told;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private RuntimeProbe.@Nullable Outcome last;
    private long at;
    private boolean looking;

    /** @param told called after each look, for those who have asked before */
    Fingerprint(RuntimeProbe probe, Threads threads, Time time, Runnable told) {
        this.probe = probe;
        this.threads = threads;
        this.time = time;
        this.told = told;
        lock.lock();
        try {
            look();
        } finally {
            lock.unlock();
        }
    }

    /** The newest outcome; waits for the very first. Empty while that is not known. */
    Optional<RuntimeProbe.Outcome> newest() throws InterruptedException {
        Deadline deadline = Deadline.in(time, WITHIN);
        lock.lockInterruptibly();
        try {
            if (last != null && last.isStale() && time.nanos() - at > AGAIN.toNanos()) {
                look();
            }
            while (last == null && !deadline.isExpired()) {
                time.await(changed, deadline);
            }
            return Optional.ofNullable(last);
        } finally {
            lock.unlock();
        }
    }

    /** Called with {@code lock} held. */
    private void look() {
        if (!looking) {
            looking = true;
            threads.contained("driver/exec", this::lookNow, Threads.OnFault.NOTHING_MORE);
        }
    }

    private void lookNow() throws InterruptedException {
        RuntimeProbe.@Nullable Outcome found = null;
        try {
            found = probe.look();
        } finally {
            lock.lock();
            try {
                looking = false;
                if (found != null) {
                    last = found;
                    at = time.nanos();
                }
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        }
        told.run();
    }
}
