package io.cleat.agent.alloc;

import io.cleat.agent.task.TaskParts;
import io.cleat.agent.task.UntilDone;
import io.cleat.base.DiskTrouble;
import io.cleat.wire.ToNode;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The allocations that the server wants here and that cannot be written down, as on a full disk: each is tried again
 * until it is taken, or wanted no more. Meanwhile the newest of what the server wants of it is kept.
 *
 * <p>Any thread. Guarded by {@code lock}, held while one that was taken after all is told the newest.
 */
final class UntakenAllocations {
    private static final Logger LOG = LoggerFactory.getLogger(UntakenAllocations.class);

    private final Taker taker;
    private final TaskParts parts;
    private final ReentrantLock lock = new ReentrantLock();

    /** By id; absent once nobody waits for it. */
    private final Map<String, ToNode.Assignment> newest = new HashMap<>();

    UntakenAllocations(Taker taker, TaskParts parts) {
        this.taker = taker;
        this.parts = parts;
    }

    /** How one is taken. */
    interface Taker {
        /** Writes it down and begins it. Whoever looks for it finds it when this returns. */
        AllocationRunner take(ToNode.Assignment assignment) throws DiskTrouble;

        /** It cannot be taken for a fault of the agent: it fails here. */
        void refuse(ToNode.Assignment assignment, Throwable fault);
    }

    /**
     * Takes one, or has it tried again.
     *
     * @param assignment of an allocation that is neither taken nor waits here
     */
    void take(ToNode.Assignment assignment) {
        String id = assignment.allocId();
        try {
            taker.take(assignment).assigned(assignment);
        } catch (DiskTrouble trouble) {
            LOG.warn("allocation {} is not taken yet: {}", id, trouble.reason());
            lock.lock();
            try {
                newest.put(id, assignment);
            } finally {
                lock.unlock();
            }
            parts.threads().contained("take-again/" + id, () -> again(id), fault -> refuse(id, fault));
        }
    }

    /**
     * The newest of what the server wants of one.
     *
     * @return false if it does not wait here: it is taken, or never came
     */
    boolean assigned(ToNode.Assignment assignment) {
        lock.lock();
        try {
            return newest.replace(assignment.allocId(), assignment) != null;
        } finally {
            lock.unlock();
        }
    }

    /** The server wants no more of this one. */
    void unwanted(String allocId) {
        lock.lock();
        try {
            newest.remove(allocId);
        } finally {
            lock.unlock();
        }
    }

    /** The server wants no more of any but these. */
    void wanted(Set<String> allocIds) {
        lock.lock();
        try {
            newest.keySet().retainAll(allocIds);
        } finally {
            lock.unlock();
        }
    }

    private void again(String id) throws InterruptedException {
        Optional<AllocationRunner> taken =
                new UntilDone(parts, "allocation/" + id).ask(() -> takeNewest(id), first -> {});
        taken.ifPresent(runner -> finish(id, runner::assigned, runner::unwanted));
    }

    /** Empty if it is wanted no more. */
    private Optional<AllocationRunner> takeNewest(String id) throws DiskTrouble {
        ToNode.@Nullable Assignment wanted = find(id);
        return wanted == null ? Optional.empty() : Optional.of(taker.take(wanted));
    }

    private ToNode.@Nullable Assignment find(String id) {
        lock.lock();
        try {
            return newest.get(id);
        } finally {
            lock.unlock();
        }
    }

    /** What is heard of it from now on goes to its runner, after the newest of what was heard. */
    private void finish(String id, Consumer<ToNode.Assignment> assigned, Runnable unwanted) {
        lock.lock();
        try {
            ToNode.@Nullable Assignment last = newest.remove(id);
            if (last == null) {
                unwanted.run();
            } else {
                assigned.accept(last);
            }
        } finally {
            lock.unlock();
        }
    }

    private void refuse(String id, Throwable fault) {
        finish(id, assignment -> taker.refuse(assignment, fault), () -> {});
    }
}
