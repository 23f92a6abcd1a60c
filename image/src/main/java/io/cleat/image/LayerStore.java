package io.cleat.image;

import io.cleat.base.Deadline;
import io.cleat.base.DiskTrouble;
import io.cleat.base.Effect;
import io.cleat.base.Ids;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Retry;
import io.cleat.base.Threads;
import io.cleat.base.Time;
import io.cleat.kernel.DurableFiles;
import io.cleat.kernel.MountTable;
import io.cleat.kernel.PathWorkers;
import io.cleat.kernel.Place;
import io.cleat.kernel.SafeRemove;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The unpacked layers of a node, each by the digest of its archive: {@code layers/DIGEST}, which is whole or not there;
 * and {@code fresh}, where they are made and where they go to be removed, and which the next start empties.
 *
 * <p>Guarded by {@code lock}, never held during a call. Any thread.
 */
final class LayerStore {
    private static final Logger LOG = LoggerFactory.getLogger(LayerStore.class);
    private static final String WORKERS = "images";
    private static final Duration CLEARING = Duration.ofMinutes(5);

    private final Path layers;
    private final Path fresh;
    private final SafeRemove clearing;
    private final Threads threads;
    private final Time time;
    private final Ids ids;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    /** How many starts of tasks hold a layer. */
    private final Map<Digest, Integer> held = new HashMap<>();

    /** What is being made, or removed. */
    private final Set<Digest> busy = new HashSet<>();

    /** When it was last seen that nobody uses a layer any more, by {@link Time#nanos}. */
    private final Map<Digest, Long> idleSince = new HashMap<>();

    /** @param root the agent's alone, on a local disk that survives it */
    LayerStore(Path root, PathWorkers workers, Threads threads, Time time, Ids ids) throws DiskTrouble {
        this.layers = root.resolve("layers");
        this.fresh = root.resolve("fresh");
        this.clearing = new SafeRemove(workers, WORKERS, MountTable::read);
        this.threads = threads;
        this.time = time;
        this.ids = ids;
        DurableFiles.makeDirectory(layers);
        DurableFiles.makeDirectory(fresh);
    }

    /** Removes what an earlier agent left half made, or half removed. */
    void clear() throws DiskTrouble {
        Set<String> left = names(fresh);
        if (!left.isEmpty()) {
            threads.contained(
                    "images/clear",
                    () -> {
                        for (String name : left) {
                            remove(fresh.resolve(name));
                        }
                    },
                    Threads.OnFault.NOTHING_MORE);
        }
    }

    private static Set<String> names(Path directory) throws DiskTrouble {
        Set<String> names = new TreeSet<>();
        try (DirectoryStream<Path> each = Files.newDirectoryStream(directory)) {
            each.forEach(path -> names.add(path.getFileName().toString()));
        } catch (NoSuchFileException none) {
            return names;
        } catch (IOException | DirectoryIteratorException failed) {
            throw trouble("listing " + directory, failed);
        }
        return names;
    }

    /** An empty directory that nobody else knows. */
    Path freshDirectory() throws DiskTrouble {
        Path directory = fresh.resolve(ids.next());
        try {
            Files.createDirectory(
                    directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        } catch (IOException failed) {
            throw trouble("making " + directory, failed);
        }
        return directory;
    }

    Path path(Digest layer) {
        return layers.resolve(layer.hex());
    }

    /** Keeps layers from being removed, until {@link #release}. */
    void hold(Collection<Digest> wanted) {
        lock.lock();
        try {
            wanted.forEach(layer -> held.merge(layer, 1, Integer::sum));
        } finally {
            lock.unlock();
        }
    }

    void release(Collection<Digest> wanted) {
        lock.lock();
        try {
            for (Digest layer : wanted) {
                held.computeIfPresent(layer, (_, count) -> count > 1 ? count - 1 : null);
                idleSince.put(layer, time.nanos());
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Says which layers are the caller's to make, all of them at once; waits while somebody else is at work on one,
     * holding none meanwhile.
     *
     * @return which are not there; empty if the time is over
     */
    Optional<Set<Digest>> claim(Collection<Digest> wanted, Deadline deadline) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (wanted.stream().anyMatch(busy::contains)) {
                if (deadline.isExpired()) {
                    return Optional.empty();
                }
                time.await(changed, deadline);
            }
            // Nobody makes or removes one of them but who has it in busy.
            busy.addAll(wanted);
        } finally {
            lock.unlock();
        }
        Set<Digest> missing = new HashSet<>();
        for (Digest layer : wanted) {
            if (!isThere(layer)) {
                missing.add(layer);
            }
        }
        Set<Digest> there = new HashSet<>(wanted);
        there.removeAll(missing);
        finished(there);
        return Optional.of(missing);
    }

    /** What was claimed is there, or was given up. */
    void finished(Collection<Digest> claimed) {
        lock.lock();
        try {
            busy.removeAll(claimed);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Whether a layer that the caller holds is there, and nobody is at work on it. */
    boolean isReady(Digest layer) {
        lock.lock();
        try {
            if (busy.contains(layer)) {
                return false;
            }
        } finally {
            lock.unlock();
        }
        return isThere(layer);
    }

    boolean isThere(Digest layer) {
        return Files.isDirectory(path(layer), LinkOption.NOFOLLOW_LINKS);
    }

    /** Takes layers over that lie in a directory by their digests; durable when it returns. */
    void take(Path directory, Collection<Digest> made) throws DiskTrouble {
        if (made.isEmpty()) {
            return;
        }
        DurableFiles.syncFileSystem(fresh);
        for (Digest layer : made) {
            try {
                Files.move(directory.resolve(layer.hex()), path(layer), StandardCopyOption.ATOMIC_MOVE);
            } catch (IOException failed) {
                throw trouble("keeping the layer " + layer, failed);
            }
        }
        DurableFiles.sync(layers);
    }

    /** Removes a directory of {@link #fresh}; what is left of it goes at the next start. */
    void remove(Path directory) throws InterruptedException {
        try {
            clearing.tree(Place.of(fresh, directory), Deadline.in(time, CLEARING));
        } catch (KernelTrouble trouble) {
            LOG.warn("{} is left, and removed when the agent starts again: {}", directory, trouble.reason());
        }
    }

    /**
     * Removes the layers that nobody has used for a while, the oldest first.
     *
     * @param used the directories of those that containers had at a moment
     * @param asOf that moment, by {@link Time#nanos}
     */
    void sweep(Set<Path> used, long asOf, Duration keep) throws DiskTrouble, InterruptedException {
        for (Digest layer : due(used, asOf, keep)) {
            Path away = fresh.resolve(ids.next());
            try {
                Files.move(path(layer), away, StandardCopyOption.ATOMIC_MOVE);
                LOG.info("the layer {} is removed: no task has used it for a while", layer);
            } catch (IOException failed) {
                throw trouble("removing the layer " + layer, failed);
            } finally {
                finished(List.of(layer));
            }
            remove(away);
        }
    }

    /** Those that are due, which are claimed one by one. */
    private List<Digest> due(Set<Path> used, long asOf, Duration keep) throws DiskTrouble {
        List<Digest> all = new ArrayList<>();
        for (String name : names(layers)) {
            Digest.ofHex(name).ifPresent(all::add);
        }
        lock.lock();
        try {
            List<Digest> due = new ArrayList<>();
            for (Digest layer : all) {
                if (used.contains(path(layer)) || held.containsKey(layer)) {
                    idleSince.remove(layer);
                } else {
                    long since = idleSince.computeIfAbsent(layer, _ -> asOf);
                    if (since <= asOf && asOf - since >= keep.toNanos() && !busy.contains(layer)) {
                        due.add(layer);
                    }
                }
            }
            due.sort(Comparator.comparing(idleSince::get));
            // They are not there any more for whoever wants them from here on.
            busy.addAll(due);
            due.forEach(idleSince::remove);
            return due;
        } finally {
            lock.unlock();
        }
    }

    private static DiskTrouble trouble(String what, Exception cause) {
        return new DiskTrouble(what + " failed: " + cause, Effect.NONE, Retry.SAME_CALL, cause);
    }
}
