package io.cleat.agent.volumes;

import io.cleat.base.Deadline;
import io.cleat.base.SystemTime;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/** Plugins that come and go as a test says. */
final class FakeNodePlugins implements NodePlugins {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Map<String, NodePlugin> current = new HashMap<>();

    void appear(String pluginId, NodePlugin plugin) {
        lock.lock();
        try {
            current.put(pluginId, plugin);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    void vanish(String pluginId) {
        lock.lock();
        try {
            current.remove(pluginId);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Optional<NodePlugin> current(String pluginId) {
        lock.lock();
        try {
            return Optional.ofNullable(current.get(pluginId));
        } finally {
            lock.unlock();
        }
    }

    @Override
    public String absence(String pluginId) {
        return "which does not run";
    }

    @Override
    public void awaitChange(String pluginId, Optional<NodePlugin> seen, BooleanSupplier isEnough, Deadline deadline)
            throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (Optional.ofNullable(current.get(pluginId)).equals(seen)
                    && !isEnough.getAsBoolean()
                    && !deadline.isExpired()) {
                new SystemTime().await(changed, deadline);
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void stir() {
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
