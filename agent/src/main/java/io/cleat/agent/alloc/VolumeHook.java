package io.cleat.agent.alloc;

import io.cleat.agent.volumes.GrantedClaim;
import io.cleat.agent.volumes.NodeVolumes;
import io.cleat.agent.volumes.Publication;
import io.cleat.base.Threads;
import io.cleat.base.Time;
import io.cleat.base.Trouble;
import io.cleat.model.BlockedBy;
import io.cleat.wire.ToNode;
import io.cleat.wire.ToServer;
import io.cleat.wire.ToServer.VolumePhase;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
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
 * <p>A volume without a grant waits for one. Guarded by {@code lock}, never held while a volume is
 * worked on.
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
    private final Map<String, Granted> grants = new HashMap<>();
    private final Map<String, Place> places = new TreeMap<>();
    private final Map<String, Path> published = new TreeMap<>();
    private final Map<String, Thread> workers = new HashMap<>();
    private final Set<String> ungranted = new HashSet<>();

    /** What the first step of each waits for, until one is taken. */
    private @Nullable BlockedBy beginsAfter;

    private @Nullable String failure;
    private boolean stopped;
    private boolean unpublishing;
    private boolean isOwed;

    /**
     * A grant, with the volume as the server described it then: modes and options are final only
     * now.
     */
    private record Granted(ToNode.AssignedVolume volume, ToNode.Grant grant) {}

    /** How far one volume is. */
    private record Place(VolumePhase phase, long epoch, @Nullable BlockedBy waitingFor) {
        Place waiting(@Nullable BlockedBy reason) {
            return new Place(phase, epoch, reason);
        }
    }

    /**
     * @param changed run after each step of a volume
     */
    VolumeHook(
            KnownAllocation allocation,
            NodeVolumes volumes,
            Threads threads,
            Time time,
            Runnable changed) {
        this.allocation = allocation;
        this.volumes = volumes;
        this.threads = threads;
        this.time = time;
        this.changed = changed;
        this.growth = new VolumeGrowth(volumes, threads, time, changed);
        Map<String, VolumePhase> phases = volumes.phases(allocation.allocId());
        allocation
                .volumes()
                .keySet()
                .forEach(
                        alias ->
                                places.put(
                                        alias,
                                        new Place(
                                                phases.getOrDefault(
                                                        alias,
                                                        allocation.ended()
                                                                ? VolumePhase.UNPUBLISHED
                                                                : VolumePhase.NONE),
                                                volumes.epoch(allocation.allocId(), alias),
                                                null)));
    }

    /** Takes what the server says of the allocation's volumes. */
    void assigned(Map<String, ToNode.AssignedVolume> assigned) {
        lock.lock();
        try {
            assigned.forEach(
                    (alias, volume) -> {
                        ToNode.Grant grant = volume.grant();
                        if (grant != null) {
                            grants.put(alias, new Granted(volume, grant));
                        }
                        places.computeIfPresent(alias, (same, place) -> told(alias, place, volume));
                        grow(alias);
                    });
            moved.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** What a volume waits for at the server, if it waits there. With {@code lock} held. */
    private Place told(String alias, Place place, ToNode.AssignedVolume volume) {
        if (place.phase() == VolumePhase.NONE) {
            return place.waiting(volume.waitingFor());
        }
        boolean isOver = volume.grant() != null;
        return ungranted.contains(alias) && (isOver || volume.waitingFor() != null)
                ? place.waiting(volume.waitingFor())
                : place;
    }

    /** No more steps forward: those under way are interrupted. Steps back go on. */
    void stop() {
        lock.lock();
        try {
            stopped = true;
            growth.stop();
            if (!unpublishing) {
                workers.values().forEach(Thread::interrupt);
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
    Optional<Map<String, Path>> publishAll(Runnable waits)
            throws VolumesRefused, InterruptedException {
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
                .allMatch(alias -> volumes.published(allocation.allocId(), alias).isPresent());
    }

    private Optional<Map<String, Path>> awaitPublished()
            throws VolumesRefused, InterruptedException {
        lock.lockInterruptibly();
        try {
            while (!workers.isEmpty()) {
                moved.await();
            }
            if (failure != null) {
                throw new VolumesRefused(failure);
            }
            return published.size() == allocation.volumes().size()
                    ? Optional.of(Map.copyOf(published))
                    : Optional.empty();
        } catch (InterruptedException end) {
            workers.values().forEach(Thread::interrupt);
            throw end;
        } finally {
            lock.unlock();
        }
    }

    private boolean isWorking() {
        lock.lock();
        try {
            return !workers.isEmpty();
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
            if (stopped || unpublishing || workers.containsKey(alias)) {
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

    private Optional<Path> remountOne(String alias, Consumer<String> refused)
            throws InterruptedException {
        Granted grant = awaitGrant(alias);
        if (grant == null) {
            return Optional.empty();
        }
        try {
            Publication publication =
                    volumes.remount(claim(alias, grant), (p, w) -> at(alias, p, w));
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
            while (!workers.isEmpty()) {
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
                            volumes.unpublish(
                                    allocation.allocId(), alias, (p, w) -> at(alias, p, w));
                            at(alias, VolumePhase.UNPUBLISHED, Optional.empty());
                        },
                        fault -> owed(alias, fault));
            }
            while (!workers.isEmpty()) {
                moved.await();
            }
            return !isOwed;
        } catch (InterruptedException end) {
            workers.values().forEach(Thread::interrupt);
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
            Place place = places.get(alias);
            if (place != null) {
                BlockedBy why =
                        new BlockedBy(
                                "unpublish",
                                "a fault of the agent: " + fault,
                                time.now(),
                                null,
                                "it is tried again; the agent's log says more");
                places.put(alias, new Place(place.phase(), place.epoch(), why));
            }
        } finally {
            lock.unlock();
        }
        changed.run();
    }

    /** Where volumes are published. */
    List<Path> paths() {
        lock.lock();
        try {
            return List.copyOf(published.values());
        } finally {
            lock.unlock();
        }
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
            places.replaceAll(
                    (alias, place) ->
                            place.phase() == VolumePhase.NONE
                                            || place.phase() == VolumePhase.UNPUBLISHED
                                    ? place
                                    : new Place(place.phase(), place.epoch(), reason));
        } finally {
            lock.unlock();
        }
        changed.run();
    }

    Map<String, ToServer.VolumeReport> reports() {
        lock.lock();
        try {
            Map<String, ToServer.VolumeReport> reports = new TreeMap<>();
            allocation
                    .volumes()
                    .forEach(
                            (alias, volume) -> {
                                Place place =
                                        places.getOrDefault(
                                                alias, new Place(VolumePhase.NONE, 0, null));
                                reports.put(
                                        alias,
                                        new ToServer.VolumeReport(
                                                volume,
                                                place.epoch(),
                                                place.phase(),
                                                growth.done(alias),
                                                waitingFor(alias, place)));
                            });
            return reports;
        } finally {
            lock.unlock();
        }
    }

    private @Nullable BlockedBy waitingFor(String alias, Place place) {
        if (place.waitingFor() != null) {
            return place.waitingFor();
        }
        if (beginsAfter != null && place.phase() == VolumePhase.NONE) {
            return beginsAfter;
        }
        return volumes.broken(allocation.allocId(), alias)
                .orElseGet(() -> growth.waitingFor(alias));
    }

    private void startPublishing(String alias) {
        Optional<Publication> there = volumes.published(allocation.allocId(), alias);
        lock.lock();
        try {
            if (workers.containsKey(alias)) {
                return;
            }
            beginsAfter = null;
            if (there.isPresent()) {
                published.put(alias, there.get().path());
                // It may be mounted anew already, and wait for its grant.
                BlockedBy waits = ungranted.contains(alias) ? noWord() : null;
                places.put(alias, new Place(VolumePhase.PUBLISHED, there.get().epoch(), waits));
                grow(alias);
            } else {
                published.remove(alias);
                work(
                        "publish",
                        alias,
                        () -> publish(alias),
                        fault -> refused(alias, "a fault of the agent: " + fault));
            }
        } finally {
            lock.unlock();
        }
    }

    private void publish(String alias) throws InterruptedException {
        try {
            Granted grant = awaitGrant(alias);
            if (grant == null) {
                return;
            }
            Publication publication =
                    volumes.publish(claim(alias, grant), (p, w) -> at(alias, p, w));
            lock.lock();
            try {
                published.put(alias, publication.path());
                grow(alias);
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
            places.compute(alias, (same, place) -> waitingForOthers(place, words));
            stopped = true;
            workers.forEach(
                    (other, thread) -> {
                        if (!other.equals(alias)) {
                            thread.interrupt();
                        }
                    });
            moved.signalAll();
        } finally {
            lock.unlock();
        }
        changed.run();
    }

    /** A call that is made for another volume is waited for, before the allocation fails. */
    private Place waitingForOthers(@Nullable Place place, String why) {
        Place now = place == null ? new Place(VolumePhase.NONE, 0, null) : place;
        return now.waiting(
                new BlockedBy(
                        "mount",
                        why,
                        time.now(),
                        null,
                        "the allocation fails once what is begun for its other volumes is over"));
    }

    /** Called with {@code lock} held. */
    private void grow(String alias) {
        Granted granted = grants.get(alias);
        if (granted != null && published.containsKey(alias)) {
            growth.wanted(claim(alias, granted), granted.grant());
        }
    }

    private @Nullable Granted awaitGrant(String alias) throws InterruptedException {
        if (isUngranted(alias)) {
            changed.run();
        }
        lock.lockInterruptibly();
        try {
            while (!stopped && !grants.containsKey(alias)) {
                moved.await();
            }
            return stopped ? null : grants.get(alias);
        } finally {
            ungranted.remove(alias);
            lock.unlock();
        }
    }

    /** Whether the next step waits for a grant; if so, that is said. */
    private boolean isUngranted(String alias) {
        lock.lock();
        try {
            if (stopped || grants.containsKey(alias)) {
                return false;
            }
            ungranted.add(alias);
            places.computeIfPresent(
                    alias,
                    (same, place) ->
                            place.phase() == VolumePhase.NONE ? place : place.waiting(noWord()));
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

    private GrantedClaim claim(String alias, Granted granted) {
        ToNode.AssignedVolume volume = granted.volume();
        return new GrantedClaim(
                allocation.allocId(),
                alias,
                volume.volume(),
                volume.pluginId(),
                volume.externalId(),
                volume.readOnly(),
                volume.modes(),
                volume.mountOptions(),
                volume.context(),
                granted.grant().epoch(),
                granted.grant().publishContext(),
                granted.grant().secrets());
    }

    private void at(String alias, VolumePhase phase, Optional<BlockedBy> waitingFor) {
        lock.lock();
        try {
            Granted granted = grants.get(alias);
            Place before = places.get(alias);
            long epoch =
                    granted != null ? granted.grant().epoch() : before != null ? before.epoch() : 0;
            places.put(alias, new Place(phase, epoch, waitingFor.orElse(null)));
        } finally {
            lock.unlock();
        }
        changed.run();
    }

    /** Called with {@code lock} held, so that the worker's end comes after its entry. */
    private void work(String what, String alias, Threads.Body body, Threads.OnFault onFault) {
        Thread worker =
                threads.contained(
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
        workers.put(alias, worker);
    }

    private void over(String alias) {
        lock.lock();
        try {
            workers.remove(alias);
            moved.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
