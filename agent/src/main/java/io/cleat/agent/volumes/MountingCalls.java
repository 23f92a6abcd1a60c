package io.cleat.agent.volumes;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Which calls that mount are at a plugin at once. A mount in no volume's place tells nobody which of them made it: so
 * the volumes of all of them are suspects, and each makes its next call alone.
 *
 * <p>Guarded by {@code lock}, never held during a call.
 */
final class MountingCalls {
    /** Suspects that are remembered of one plugin; those beyond it are believed again. */
    static final int MOST_SUSPECTS = 4096;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition moved = lock.newCondition();
    private final Map<String, AtPlugin> plugins = new HashMap<>();

    /** What is known of one plugin. */
    private static final class AtPlugin {
        final Set<Call> inFlight = new HashSet<>();
        final LinkedHashSet<VolumeKey> suspects = new LinkedHashSet<>();
        int waitingAlone;

        boolean admits(boolean alone) {
            return alone
                    ? inFlight.isEmpty()
                    : waitingAlone == 0 && inFlight.stream().noneMatch(call -> call.alone);
        }
    }

    /** A call from before it is made until what it mounted is judged. */
    final class Call implements AutoCloseable {
        private final VolumeKey key;
        private final boolean alone;
        private boolean overlapped;
        private boolean suspected;

        private Call(VolumeKey key, boolean alone) {
            this.key = key;
            this.alone = alone;
        }

        /**
         * Whether only this call can have made what was found in no volume's place. If not, all that are in flight are
         * suspects from now on.
         */
        boolean isToBlame() {
            lock.lock();
            try {
                if (overlapped) {
                    of(key).inFlight.forEach(call -> call.suspected = true);
                }
                return !overlapped;
            } finally {
                lock.unlock();
            }
        }

        /**
         * All others that are in flight now are suspects: what they mounted may have gone with what was taken away,
         * where it lay over the directory of both.
         */
        void suspectOthers() {
            lock.lock();
            try {
                of(key).inFlight.stream().filter(call -> call != this).forEach(call -> call.suspected = true);
            } finally {
                lock.unlock();
            }
        }

        /** Whether something was found that this call may have made, and so may another. */
        boolean isSuspected() {
            lock.lock();
            try {
                return suspected;
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void close() {
            lock.lock();
            try {
                AtPlugin plugin = of(key);
                plugin.inFlight.remove(this);
                plugin.suspects.remove(key);
                if (suspected) {
                    remember(plugin, key);
                }
                forgetIfIdle(plugin);
                moved.signalAll();
            } finally {
                lock.unlock();
            }
        }

        private void forgetIfIdle(AtPlugin plugin) {
            if (plugin.inFlight.isEmpty() && plugin.suspects.isEmpty() && plugin.waitingAlone == 0) {
                plugins.remove(key.pluginId());
            }
        }
    }

    private AtPlugin of(VolumeKey key) {
        return plugins.computeIfAbsent(key.pluginId(), absent -> new AtPlugin());
    }

    private static void remember(AtPlugin plugin, VolumeKey key) {
        if (plugin.suspects.size() >= MOST_SUSPECTS) {
            plugin.suspects.removeFirst();
        }
        plugin.suspects.add(key);
    }

    /**
     * Begins a call for a volume. Waits while one is made alone, and if this one is to be alone, until all others have
     * ended, which each does by its deadline.
     */
    Call begin(VolumeKey key) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            boolean alone = of(key).suspects.contains(key);
            of(key).waitingAlone += alone ? 1 : 0;
            try {
                while (!of(key).admits(alone)) {
                    moved.await();
                }
            } finally {
                of(key).waitingAlone -= alone ? 1 : 0;
                moved.signalAll();
            }
            Call own = new Call(key, alone);
            Set<Call> others = of(key).inFlight;
            own.overlapped = !others.isEmpty();
            others.forEach(call -> call.overlapped = true);
            others.add(own);
            return own;
        } finally {
            lock.unlock();
        }
    }
}
