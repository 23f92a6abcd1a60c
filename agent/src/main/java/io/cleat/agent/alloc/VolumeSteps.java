package io.cleat.agent.alloc;

import io.cleat.agent.volumes.GrantedClaim;
import io.cleat.agent.volumes.NodeVolumes;
import io.cleat.agent.volumes.Publication;
import io.cleat.base.Threads;
import io.cleat.base.Time;
import io.cleat.model.BlockedBy;
import io.cleat.wire.ToNode;
import io.cleat.wire.ToServer;
import io.cleat.wire.ToServer.VolumePhase;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The steps of one allocation's volumes: which are under way, whether any may still begin, and whether one was refused.
 * What is done in a step, {@link VolumeHook} says.
 *
 * <p>Receives grants from the server's assignments, and from each step how far it is. Each step has a thread of its
 * own, one at a time for a volume; a fault of it is a refusal of the volume, or leaves its end owed. Guarded by
 * {@code lock}, on which sleeps who waits for a grant or for the end of steps; never held while a volume is worked on.
 */
final class VolumeSteps {
    private final KnownAllocation allocation;
    private final Threads threads;
    private final Time time;
    private final Runnable changed;
    private final VolumeGrowth growth;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition moved = lock.newCondition();
    private final VolumeStates states;

    private @Nullable String failure;
    private boolean stopped;
    private boolean unpublishing;
    private boolean isOwed;

    /** One step of a volume, from its thread's begin to its end. */
    @FunctionalInterface
    interface Step {
        void take(String alias) throws InterruptedException;
    }

    /** @param changed run after each change of what is reported */
    VolumeSteps(KnownAllocation allocation, NodeVolumes volumes, Threads threads, Time time, Runnable changed) {
        this.allocation = allocation;
        this.threads = threads;
        this.time = time;
        this.changed = changed;
        this.growth = new VolumeGrowth(volumes, threads, time, changed);
        this.states = new VolumeStates(allocation, volumes, growth);
    }

    /** Takes what the server says of the allocation's volumes. */
    void assigned(Map<String, ToNode.AssignedVolume> assigned) {
        lock.lock();
        try {
            assigned.forEach((alias, volume) -> {
                VolumeState state = states.of(alias);
                state.assigned(volume);
                grow(state);
            });
            moved.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** No more steps forward: those under way are interrupted. Steps back go on. */
    void stop() {
        lock.lock();
        try {
            stopped = true;
            growth.stop();
            if (!unpublishing) {
                states.interruptAll();
            }
            moved.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** As {@link #stop}; returns once the steps that were under way have ended. */
    void settle() throws InterruptedException {
        stop();
        lock.lockInterruptibly();
        try {
            awaitRest();
        } finally {
            lock.unlock();
        }
    }

    /** Waits until no step is under way. Called with {@code lock} held. */
    private void awaitRest() throws InterruptedException {
        while (states.isAnyAtWork()) {
            moved.await();
        }
    }

    /** Whether a step is under way. */
    boolean isWorking() {
        lock.lock();
        try {
            return states.isAnyAtWork();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits until no step is under way.
     *
     * @return where each is published, by alias; empty if stopped before all were
     * @throws VolumesRefused if a volume cannot be had
     */
    Optional<Map<String, Path>> awaitPublished() throws VolumesRefused, InterruptedException {
        lock.lockInterruptibly();
        try {
            awaitRest();
            if (failure != null) {
                throw new VolumesRefused(failure);
            }
            return states.published();
        } catch (InterruptedException end) {
            states.interruptAll();
            throw end;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Takes the step that publishes a volume, unless it is published or a step of it is under way.
     *
     * @param there where it is published already
     */
    void publish(String alias, Optional<Publication> there, Step step) {
        lock.lock();
        try {
            VolumeState state = states.of(alias);
            if (state.isAtWork()) {
                return;
            }
            states.waitToBegin(null);
            if (there.isPresent()) {
                // It may be mounted anew already, and wait for its grant.
                state.found(there.get(), noWord());
                grow(state);
            } else {
                state.lost();
                work("publish", alias, step, fault -> refused(alias, "a fault of the agent: " + fault));
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Takes the step that mounts a volume anew.
     *
     * @return false if it is not wanted any more, or a step of it is under way
     */
    boolean tryRemount(String alias, Step step) {
        lock.lock();
        try {
            if (stopped || unpublishing || states.of(alias).isAtWork()) {
                return false;
            }
            work("remount", alias, step, Threads.OnFault.NOTHING_MORE);
            return true;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Takes the steps that undo volumes, side by side, and waits for their end. After {@link #settle}.
     *
     * @return whether all are undone; if not, a fault was met, and it is to be done again
     */
    boolean unpublish(Set<String> aliases, Step step) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            unpublishing = true;
            isOwed = false;
            for (String alias : aliases) {
                work("unpublish", alias, step, fault -> owed(alias, fault));
            }
            awaitRest();
            return !isOwed;
        } catch (InterruptedException end) {
            states.interruptAll();
            throw end;
        } finally {
            lock.unlock();
        }
    }

    /** How far it was undone is not known: it is never taken for undone. */
    private void owed(String alias, Throwable fault) {
        lock.lock();
        try {
            isOwed = true;
            states.of(alias)
                    .waits(new BlockedBy(
                            "unpublish",
                            "a fault of the agent: " + fault,
                            time.now(),
                            null,
                            "it is tried again; the agent's log says more"));
        } finally {
            lock.unlock();
        }
        changed.run();
    }

    /** Where volumes are published that plugins have mounted. */
    List<Path> paths() {
        lock.lock();
        try {
            return states.paths();
        } finally {
            lock.unlock();
        }
    }

    /** Says of each volume what its first step waits for. */
    void waitToBegin(BlockedBy reason) {
        lock.lock();
        try {
            states.waitToBegin(reason);
        } finally {
            lock.unlock();
        }
        changed.run();
    }

    /** Says of each volume that has not ended what its end waits for. */
    void waitToEnd(BlockedBy reason) {
        lock.lock();
        try {
            states.waitToEnd(reason);
        } finally {
            lock.unlock();
        }
        changed.run();
    }

    /** What the server is told of each, by alias. */
    Map<String, ToServer.VolumeReport> reports() {
        lock.lock();
        try {
            return states.reports();
        } finally {
            lock.unlock();
        }
    }

    /** A volume is published by the step under way. */
    void publishedAt(String alias, Path path) {
        lock.lock();
        try {
            states.of(alias).publishedAt(path);
            grow(states.of(alias));
        } finally {
            lock.unlock();
        }
        at(alias, VolumePhase.PUBLISHED, Optional.empty());
    }

    /** A volume cannot be had: the steps of the others are interrupted, and none begins any more. */
    void refused(String alias, String why) {
        String words = "volume \"" + alias + "\" cannot be mounted: " + why;
        lock.lock();
        try {
            if (failure == null) {
                failure = words;
            }
            states.of(alias).waits(othersGoOn(words));
            stopped = true;
            states.interruptOthers(alias);
            moved.signalAll();
        } finally {
            lock.unlock();
        }
        changed.run();
    }

    /** A call that is made for another volume is waited for, before the allocation fails. */
    private BlockedBy othersGoOn(String why) {
        return new BlockedBy(
                "mount",
                why,
                time.now(),
                null,
                "the allocation fails once what is begun for its other volumes is over");
    }

    /** Called with {@code lock} held. */
    private void grow(VolumeState state) {
        if (state.published().isPresent()) {
            state.claim().ifPresent(claim -> growth.wanted(claim, state.grant().orElseThrow()));
        }
    }

    /** Waits for the volume's grant; empty if the allocation was stopped before. */
    Optional<GrantedClaim> awaitGrant(String alias) throws InterruptedException {
        if (isUngranted(alias)) {
            changed.run();
        }
        lock.lockInterruptibly();
        try {
            VolumeState state = states.of(alias);
            while (!stopped && state.grant().isEmpty()) {
                moved.await();
            }
            return stopped ? Optional.empty() : state.claim();
        } finally {
            states.of(alias).awaitsNoGrant();
            lock.unlock();
        }
    }

    /** Whether the next step waits for a grant; if so, that is said. */
    private boolean isUngranted(String alias) {
        lock.lock();
        try {
            VolumeState state = states.of(alias);
            if (stopped || state.grant().isPresent()) {
                return false;
            }
            state.awaitsGrant(noWord());
            return true;
        } finally {
            lock.unlock();
        }
    }

    private BlockedBy noWord() {
        return new BlockedBy(
                "claim",
                "the server has not granted the volume again since this agent started",
                time.now(),
                null,
                "it is mounted anew once the server grants it");
    }

    /** A step under way has come to a phase, or waits in it. */
    void at(String alias, VolumePhase phase, Optional<BlockedBy> waitingFor) {
        lock.lock();
        try {
            states.of(alias).at(phase, waitingFor.orElse(null));
        } finally {
            lock.unlock();
        }
        changed.run();
    }

    /** Called with {@code lock} held, so that the worker's end comes after its entry. */
    private void work(String what, String alias, Step step, Threads.OnFault onFault) {
        Thread worker = threads.contained(
                what + "/" + allocation.allocId() + "/" + alias,
                () -> {
                    try {
                        step.take(alias);
                    } catch (InterruptedException end) {
                        over(alias);
                        throw end;
                    }
                    over(alias);
                },
                fault -> {
                    onFault.ends(fault);
                    over(alias);
                });
        states.of(alias).works(worker);
    }

    private void over(String alias) {
        lock.lock();
        try {
            states.of(alias).worksNoMore();
            moved.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
