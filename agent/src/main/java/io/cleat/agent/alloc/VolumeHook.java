package io.cleat.agent.alloc;

import io.cleat.agent.volumes.GrantedClaim;
import io.cleat.agent.volumes.NodeVolumes;
import io.cleat.agent.volumes.Publication;
import io.cleat.base.Threads;
import io.cleat.base.Time;
import io.cleat.base.Trouble;
import io.cleat.model.BlockedBy;
import io.cleat.model.VolumeRequest;
import io.cleat.wire.ToNode;
import io.cleat.wire.ToServer;
import io.cleat.wire.ToServer.VolumePhase;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The volumes of one allocation: all are published, side by side, or the allocation does not run.
 *
 * <p>A volume without a grant waits for one. Guarded by {@code lock}, never held while a volume is worked on.
 */
final class VolumeHook {
    private static final Logger LOG = LoggerFactory.getLogger(VolumeHook.class);

    /** A plugin that takes away what it has just mounted is not asked without a pause for ever. */
    private static final int MOST_AGAIN = 3;

    private final KnownAllocation allocation;
    private final NodeVolumes volumes;
    private final Threads threads;
    private final Time time;
    private final Runnable changed;
    private final VolumeGrowth growth;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition moved = lock.newCondition();
    private final Map<String, VolumeState> states = new TreeMap<>();

    /** What the first step of each waits for, until one is taken. */
    private @Nullable BlockedBy beginsAfter;

    private @Nullable String failure;
    private boolean stopped;
    private boolean unpublishing;
    private boolean isOwed;

    /** @param changed run after each step of a volume */
    VolumeHook(KnownAllocation allocation, NodeVolumes volumes, Threads threads, Time time, Runnable changed) {
        this.allocation = allocation;
        this.volumes = volumes;
        this.threads = threads;
        this.time = time;
        this.changed = changed;
        this.growth = new VolumeGrowth(volumes, threads, time, changed);
        Map<String, VolumePhase> phases = volumes.phases(allocation.allocId());
        VolumePhase unwritten = allocation.ended() ? VolumePhase.UNPUBLISHED : VolumePhase.NONE;
        for (String alias : allocation.volumes().keySet()) {
            VolumePhase phase = phases.getOrDefault(alias, unwritten);
            long epoch = volumes.epoch(allocation.allocId(), alias);
            states.put(alias, new VolumeState(allocation.allocId(), alias, phase, epoch));
        }
    }

    /** Called with {@code lock} held. The journal may know of more than the server says. */
    private VolumeState state(String alias) {
        return states.computeIfAbsent(alias, same -> new VolumeState(allocation.allocId(), alias, VolumePhase.NONE, 0));
    }

    /** Called with {@code lock} held. */
    private boolean isAnyAtWork() {
        return states.values().stream().anyMatch(VolumeState::isAtWork);
    }

    /** Called with {@code lock} held. */
    private void interruptAll() {
        states.values().forEach(VolumeState::interrupt);
    }

    /** Takes what the server says of the allocation's volumes. */
    void assigned(Map<String, ToNode.AssignedVolume> assigned) {
        lock.lock();
        try {
            assigned.forEach((alias, volume) -> {
                VolumeState state = state(alias);
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
                interruptAll();
            }
            moved.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Publishes all volumes, waiting for their grants.
     *
     * @param waits run before the first wait; not if all are published already
     * @return where each is published, by alias; empty if stopped before all were
     * @throws VolumesRefused if a volume cannot be had
     */
    Optional<Map<String, Path>> publishAll(Runnable waits) throws VolumesRefused, InterruptedException {
        allocation.volumes().keySet().forEach(this::startPublishing);
        if (isWorking()) {
            waits.run();
        }
        Optional<Map<String, Path>> all = awaitPublished();
        // While the last one was waited for, the first ones may have been lost with their plugin.
        for (int i = 0; i < MOST_AGAIN && all.isPresent() && !areThere(all.get()); i++) {
            all.get().keySet().forEach(this::startPublishing);
            all = awaitPublished();
        }
        return all;
    }

    private boolean areThere(Map<String, Path> all) {
        return all.keySet().stream()
                .allMatch(
                        alias -> volumes.published(allocation.allocId(), alias).isPresent());
    }

    private Optional<Map<String, Path>> awaitPublished() throws VolumesRefused, InterruptedException {
        lock.lockInterruptibly();
        try {
            while (isAnyAtWork()) {
                moved.await();
            }
            if (failure != null) {
                throw new VolumesRefused(failure);
            }
            Map<String, Path> published = new TreeMap<>();
            states.forEach((alias, state) -> state.published().ifPresent(path -> published.put(alias, path)));
            return published.size() == allocation.volumes().size() ? Optional.of(published) : Optional.empty();
        } catch (InterruptedException end) {
            interruptAll();
            throw end;
        } finally {
            lock.unlock();
        }
    }

    private boolean isWorking() {
        lock.lock();
        try {
            return isAnyAtWork();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Mounts a volume anew that was lost with its plugin.
     *
     * @param mounted told where it is, unless it is not wanted any more or cannot be had
     * @param refused told why it cannot be had
     * @param ended run in each case, after that
     */
    void remount(String alias, Consumer<Path> mounted, Consumer<String> refused, Runnable ended) {
        lock.lock();
        try {
            if (stopped || unpublishing || state(alias).isAtWork()) {
                ended.run();
                return;
            }
            work(
                    "remount",
                    alias,
                    () -> {
                        try {
                            remountOne(alias, refused).ifPresent(mounted);
                        } finally {
                            ended.run();
                        }
                    },
                    Threads.OnFault.NOTHING_MORE);
        } finally {
            lock.unlock();
        }
    }

    private Optional<Path> remountOne(String alias, Consumer<String> refused) throws InterruptedException {
        Optional<GrantedClaim> claim = awaitGrant(alias);
        if (claim.isEmpty()) {
            return Optional.empty();
        }
        try {
            Publication publication = volumes.remount(claim.get(), (p, w) -> at(alias, p, w));
            at(alias, VolumePhase.PUBLISHED, Optional.empty());
            return Optional.of(publication.path());
        } catch (Trouble trouble) {
            LOG.warn("volume {} is not mounted anew: {}", alias, trouble.reason());
            refused.accept("volume \"" + alias + "\" cannot be mounted anew: " + trouble.reason());
            return Optional.empty();
        }
    }

    /** As {@link #stop}; returns once the steps that were under way have ended. */
    void settle() throws InterruptedException {
        stop();
        lock.lockInterruptibly();
        try {
            while (isAnyAtWork()) {
                moved.await();
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Undoes all volumes, side by side. After {@link #settle}.
     *
     * @return whether all are undone; if not, a fault was met, and it is to be done again
     */
    boolean unpublishAll() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            unpublishing = true;
            isOwed = false;
            // Of an allocation whose file was lost the journal may know more than the server says.
            Set<String> all = new TreeSet<>(allocation.volumes().keySet());
            all.addAll(volumes.phases(allocation.allocId()).keySet());
            for (String alias : all) {
                work(
                        "unpublish",
                        alias,
                        () -> {
                            volumes.unpublish(allocation.allocId(), alias, (p, w) -> at(alias, p, w));
                            at(alias, VolumePhase.UNPUBLISHED, Optional.empty());
                        },
                        fault -> owed(alias, fault));
            }
            while (isAnyAtWork()) {
                moved.await();
            }
            return !isOwed;
        } catch (InterruptedException end) {
            interruptAll();
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
            state(alias)
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
            return states.entrySet().stream()
                    .filter(state -> !isOfHost(state.getKey()))
                    .flatMap(state -> state.getValue().published().stream())
                    .toList();
        } finally {
            lock.unlock();
        }
    }

    /** What is mounted in a directory of the machine is not the allocation's to unmount. */
    private boolean isOfHost(String alias) {
        VolumeRequest request = allocation.taskGroup().volumes().get(alias);
        return request != null && request.isForHost();
    }

    /** Says of each volume what its first step waits for. */
    void waitToBegin(BlockedBy reason) {
        lock.lock();
        try {
            beginsAfter = reason;
        } finally {
            lock.unlock();
        }
        changed.run();
    }

    /** Says of each volume that has not ended what its end waits for. */
    void waits(BlockedBy reason) {
        lock.lock();
        try {
            for (VolumeState state : states.values()) {
                if (state.phase() != VolumePhase.NONE && state.phase() != VolumePhase.UNPUBLISHED) {
                    state.waits(reason);
                }
            }
        } finally {
            lock.unlock();
        }
        changed.run();
    }

    Map<String, ToServer.VolumeReport> reports() {
        lock.lock();
        try {
            Map<String, ToServer.VolumeReport> reports = new TreeMap<>();
            allocation.volumes().forEach((alias, volume) -> {
                VolumeState state = state(alias);
                reports.put(
                        alias,
                        new ToServer.VolumeReport(
                                volume, state.epoch(), state.phase(), growth.done(alias), waitingFor(alias, state)));
            });
            return reports;
        } finally {
            lock.unlock();
        }
    }

    private @Nullable BlockedBy waitingFor(String alias, VolumeState state) {
        if (state.waitingFor() != null) {
            return state.waitingFor();
        }
        if (beginsAfter != null && state.phase() == VolumePhase.NONE) {
            return beginsAfter;
        }
        return volumes.broken(allocation.allocId(), alias).orElseGet(() -> growth.waitingFor(alias));
    }

    private void startPublishing(String alias) {
        Optional<Publication> there = volumes.published(allocation.allocId(), alias);
        lock.lock();
        try {
            VolumeState state = state(alias);
            if (state.isAtWork()) {
                return;
            }
            beginsAfter = null;
            if (there.isPresent()) {
                // It may be mounted anew already, and wait for its grant.
                state.found(there.get(), noWord());
                grow(state);
            } else {
                state.lost();
                work("publish", alias, () -> publish(alias), fault -> refused(alias, "a fault of the agent: " + fault));
            }
        } finally {
            lock.unlock();
        }
    }

    private void publish(String alias) throws InterruptedException {
        try {
            Optional<GrantedClaim> claim = awaitGrant(alias);
            if (claim.isEmpty()) {
                return;
            }
            Publication publication = volumes.publish(claim.get(), (p, w) -> at(alias, p, w));
            lock.lock();
            try {
                state(alias).publishedAt(publication.path());
                grow(state(alias));
            } finally {
                lock.unlock();
            }
            at(alias, VolumePhase.PUBLISHED, Optional.empty());
        } catch (Trouble trouble) {
            refused(alias, trouble.reason());
        }
    }

    private void refused(String alias, String why) {
        String words = "volume \"" + alias + "\" cannot be mounted: " + why;
        lock.lock();
        try {
            if (failure == null) {
                failure = words;
            }
            state(alias).waits(othersGoOn(words));
            stopped = true;
            states.forEach((other, state) -> {
                if (!other.equals(alias)) {
                    state.interrupt();
                }
            });
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
    private Optional<GrantedClaim> awaitGrant(String alias) throws InterruptedException {
        if (isUngranted(alias)) {
            changed.run();
        }
        lock.lockInterruptibly();
        try {
            VolumeState state = state(alias);
            while (!stopped && state.grant().isEmpty()) {
                moved.await();
            }
            return stopped ? Optional.empty() : state.claim();
        } finally {
            state(alias).awaitsNoGrant();
            lock.unlock();
        }
    }

    /** Whether the next step waits for a grant; if so, that is said. */
    private boolean isUngranted(String alias) {
        lock.lock();
        try {
            VolumeState state = state(alias);
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

    private void at(String alias, VolumePhase phase, Optional<BlockedBy> waitingFor) {
        lock.lock();
        try {
            state(alias).at(phase, waitingFor.orElse(null));
        } finally {
            lock.unlock();
        }
        changed.run();
    }

    /** Called with {@code lock} held, so that the worker's end comes after its entry. */
    private void work(String what, String alias, Threads.Body body, Threads.OnFault onFault) {
        Thread worker = threads.contained(
                what + "/" + allocation.allocId() + "/" + alias,
                () -> {
                    try {
                        body.run();
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
        state(alias).works(worker);
    }

    private void over(String alias) {
        lock.lock();
        try {
            state(alias).worksNoMore();
            moved.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
