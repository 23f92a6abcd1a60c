package io.cleat.agent.alloc;

import io.cleat.agent.volumes.Expansion;
import io.cleat.agent.volumes.GrantedClaim;
import io.cleat.agent.volumes.NodeVolumes;
import io.cleat.base.Threads;
import io.cleat.base.Time;
import io.cleat.model.BlockedBy;
import io.cleat.wire.ToNode;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Makes the published volumes of one allocation as large as its grants say, beside its tasks. What a plugin refuses is
 * asked again with back-off; the tasks go on.
 *
 * <p>Guarded by {@code lock}, never held while a volume is worked on.
 */
final class VolumeGrowth {
    private final NodeVolumes volumes;
    private final Threads threads;
    private final Time time;
    private final Runnable changed;

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Growing> growing = new HashMap<>();
    private boolean stopped;

    /** How far one volume is. */
    private static final class Growing {
        private long wanted;
        private long done;
        private @Nullable BlockedBy waitingFor;
        private @Nullable Thread worker;
    }

    /** @param changed run when there is news for the server */
    VolumeGrowth(NodeVolumes volumes, Threads threads, Time time, Runnable changed) {
        this.volumes = volumes;
        this.threads = threads;
        this.time = time;
        this.changed = changed;
    }

    /**
     * Begins, unless it is done or under way.
     *
     * @param claim published
     */
    void wanted(GrantedClaim claim, ToNode.Grant grant) {
        Expansion expansion = new Expansion(grant.expandTo(), grant.compareOnly());
        long bytes = expansion.bytes();
        lock.lock();
        try {
            Growing state = growing.computeIfAbsent(claim.alias(), alias -> new Growing());
            if (stopped || bytes <= state.wanted) {
                return;
            }
            if (state.worker != null) {
                state.worker.interrupt();
            }
            state.wanted = bytes;
            state.worker = threads.contained(
                    "expand/" + claim.allocId() + "/" + claim.alias(),
                    () -> expand(claim, expansion, state),
                    fault -> note(state, bytes, false, Optional.of(failed(fault))));
        } finally {
            lock.unlock();
        }
    }

    /** Ends what is under way; nothing begins any more. */
    void stop() {
        lock.lock();
        try {
            stopped = true;
            for (Growing state : growing.values()) {
                if (state.worker != null) {
                    state.worker.interrupt();
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /** The size in bytes that was carried out; 0 for none. */
    long done(String alias) {
        lock.lock();
        try {
            Growing state = growing.get(alias);
            return state == null ? 0 : state.done;
        } finally {
            lock.unlock();
        }
    }

    @Nullable
    BlockedBy waitingFor(String alias) {
        lock.lock();
        try {
            Growing state = growing.get(alias);
            return state == null ? null : state.waitingFor;
        } finally {
            lock.unlock();
        }
    }

    private void expand(GrantedClaim claim, Expansion expansion, Growing state) throws InterruptedException {
        long bytes = expansion.bytes();
        boolean is = volumes.expand(claim, expansion, (phase, wait) -> note(state, bytes, false, wait));
        note(state, bytes, is, Optional.empty());
    }

    /** Asked for again with the next size that is wanted, or by the next agent. */
    private BlockedBy failed(Throwable fault) {
        return new BlockedBy(
                "expand",
                "a fault of the agent: " + fault,
                time.now(),
                null,
                "the volume is used with its old size; its log says more");
    }

    private void note(Growing state, long bytes, boolean is, Optional<BlockedBy> wait) {
        lock.lock();
        try {
            if (state.wanted != bytes) {
                return;
            }
            state.done = is ? bytes : state.done;
            state.waitingFor = wait.orElse(null);
        } finally {
            lock.unlock();
        }
        changed.run();
    }
}
