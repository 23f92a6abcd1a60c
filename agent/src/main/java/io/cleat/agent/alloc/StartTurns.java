package io.cleat.agent.alloc;

import io.cleat.model.AllocatedPort;
import io.cleat.model.CsiPluginSpec;
import io.cleat.model.Task;
import io.cleat.model.TaskGroup;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Lets an allocation on this node start only once those that are in its way and are to end have ended: an instance of
 * the same plugin, since both may want the same socket or lock, and what the old one removes at its end would be the
 * new one's; and whoever has one of its ports, which an update gives to what it places before it is free.
 *
 * <p>One that is not to end is nobody's predecessor: two jobs may run a plugin of one id. What runs here though nothing
 * is written down of it may be one, of any plugin or port.
 *
 * <p>Guarded by {@code lock}, under which nothing else is done.
 */
final class StartTurns {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Map<String, Instance> instances = new TreeMap<>();
    private boolean mayHaveStrays;

    /**
     * An allocation whose tasks run, or may be started.
     *
     * @param plugins whose node service it runs
     * @param alone those of them that start only once the instance before has ended
     * @param ports of the node that it has
     */
    private record Instance(Set<String> plugins, Set<String> alone, List<AllocatedPort> ports, boolean isEnding) {}

    /** The tasks of an allocation are there, or may be started. */
    void here(KnownAllocation known) {
        Set<String> plugins = nodeServices(known, plugin -> true);
        if (known.ended() || (plugins.isEmpty() && known.ports().isEmpty())) {
            return;
        }
        lock.lock();
        try {
            instances.put(
                    known.allocId(),
                    new Instance(
                            plugins,
                            nodeServices(known, plugin -> !plugin.overlap()),
                            known.ports(),
                            !known.isWanted()));
        } finally {
            lock.unlock();
        }
    }

    /** The allocation is to end. */
    void ending(String allocId) {
        lock.lock();
        try {
            instances.computeIfPresent(allocId, (id, is) -> new Instance(is.plugins(), is.alone(), is.ports(), true));
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** No task of the allocation runs any more, or will. */
    void over(String allocId) {
        lock.lock();
        try {
            instances.remove(allocId);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Whether tasks may run here of allocations that nobody knows, which are ended now. */
    void mayHaveStrays(boolean may) {
        lock.lock();
        try {
            mayHaveStrays = may;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Blocks until nothing of the plugins that the allocation runs is ending here, but of those that may overlap, and
     * nothing that has one of its ports, or it is to end itself.
     *
     * @param waits told why it waits, once for each reason
     */
    void await(String allocId, Consumer<String> waits) throws InterruptedException {
        String told = "";
        for (; ; ) {
            String reason = awaitReason(allocId, told);
            if (reason.isEmpty()) {
                return;
            }
            waits.accept(reason);
            told = reason;
        }
    }

    /** Blocks while the reason to wait is {@code told}; empty if there is none. */
    private String awaitReason(String allocId, String told) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            for (; ; ) {
                String reason = reason(allocId);
                if (reason.isEmpty() || !reason.equals(told)) {
                    return reason;
                }
                changed.await();
            }
        } finally {
            lock.unlock();
        }
    }

    private String reason(String allocId) {
        Instance own = instances.get(allocId);
        if (own == null || own.isEnding()) {
            return "";
        }
        if (mayHaveStrays && !(own.alone().isEmpty() && own.ports().isEmpty())) {
            return "tasks of allocations that are not known run here, and are ended first: one of"
                    + (own.ports().isEmpty() ? " them may be this plugin" : " them may have a port of this one");
        }
        return instances.entrySet().stream()
                .filter(other -> other.getValue().isEnding())
                .filter(other -> other.getValue().plugins().stream().anyMatch(own.alone()::contains))
                .map(other -> "allocation " + other.getKey() + " runs the same plugin here and is ending")
                .findFirst()
                .orElseGet(() -> portReason(own));
    }

    private String portReason(Instance own) {
        for (Map.Entry<String, Instance> other : instances.entrySet()) {
            for (AllocatedPort port : other.getValue().ports()) {
                if (other.getValue().isEnding() && own.ports().stream().anyMatch(port::collidesWith)) {
                    return "port "
                            + port.value()
                            + " of "
                            + port.hostIp()
                            + " is free once allocation "
                            + other.getKey()
                            + ", which is ending, has ended";
                }
            }
        }
        return "";
    }

    private static Set<String> nodeServices(KnownAllocation known, Predicate<CsiPluginSpec> wanted) {
        Set<String> plugins = new HashSet<>();
        List<Task> tasks =
                known.job().group(known.group()).map(TaskGroup::tasks).orElse(List.of());
        for (Task task : tasks) {
            CsiPluginSpec plugin = task.csiPlugin();
            if (plugin != null && plugin.type().servesNode() && wanted.test(plugin)) {
                plugins.add(plugin.id());
            }
        }
        return plugins;
    }
}
