package io.cleat.driver.docker;

import io.cleat.base.DiskTrouble;
import io.cleat.base.DriverTrouble;
import io.cleat.base.Effect;
import io.cleat.base.Retry;
import io.cleat.base.Threads;
import io.cleat.base.Time;
import io.cleat.kernel.DurableFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The copying of output that is under way, one of each container.
 *
 * <p>Guarded by {@code lock}, never held during a call.
 */
final class LogCopies {
    /** Where an engine keeps output so that it can be asked for it. */
    private static final Set<String> READABLE = Set.of("json-file", "local", "journald", "k8s-file");

    private final Engine engine;
    private final Containers containers;
    private final Path cursors;
    private final Threads platform;
    private final Time time;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, LogCopy> copies = new HashMap<>();

    /**
     * @param cursors where it is noted how far each is; its owner's alone
     * @param platform threads of the kernel: a disk may hang
     */
    LogCopies(Engine engine, Containers containers, Path cursors, Threads platform, Time time) {
        this.engine = engine;
        this.containers = containers;
        this.cursors = cursors;
        this.platform = platform;
        this.time = time;
    }

    /** Whether the engine can be asked for what it keeps there. */
    static boolean canRead(DockerBlock.Logging logging) {
        return READABLE.contains(logging.type());
    }

    /** Begins to copy the output of a container that was started. */
    void begin(String name) throws DriverTrouble {
        Optional<Container> container = containers.find(name);
        if (container.isPresent()) {
            begin(container.get());
        }
    }

    /** As {@link #begin(String)}; done already is fine. */
    void begin(Container container) throws DriverTrouble {
        Optional<LogCopy.Task> task = LogCopy.Task.of(container, cursors);
        if (task.isEmpty() || find(container.name()) != null) {
            return;
        }
        try {
            DurableFiles.makeDirectory(cursors);
        } catch (DiskTrouble full) {
            throw new DriverTrouble(full.reason(), Effect.NONE, Retry.SAME_CALL, full);
        }
        LogCopy copy = new LogCopy(engine, containers, task.get(), time);
        lock.lock();
        try {
            if (copies.putIfAbsent(container.name(), copy) != null) {
                return;
            }
        } finally {
            lock.unlock();
        }
        platform.contained("docker/output", copy::run, Threads.OnFault.NOTHING_MORE);
    }

    private @Nullable LogCopy find(String name) {
        lock.lock();
        try {
            return copies.get(name);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits for what is left of an ended container's output.
     *
     * @return bytes that were not kept
     */
    long awaitDone(String name, Duration most) throws InterruptedException {
        LogCopy copy = find(name);
        if (copy == null) {
            return 0;
        }
        copy.awaitDone(most);
        return copy.lost();
    }

    /** Bytes that were not kept so far. */
    long lost(String name) {
        LogCopy copy = find(name);
        return copy == null ? 0 : copy.lost();
    }

    /** Of a container that is gone. */
    void forget(String name) throws DriverTrouble {
        LogCopy copy;
        lock.lock();
        try {
            copy = copies.remove(name);
        } finally {
            lock.unlock();
        }
        if (copy != null) {
            copy.close();
        }
        if (!Files.exists(cursors.resolve(name))) {
            return;
        }
        try {
            DurableFiles.delete(cursors.resolve(name));
        } catch (DiskTrouble full) {
            throw new DriverTrouble(full.reason(), Effect.NONE, Retry.SAME_CALL, full);
        }
    }

    /** Ends the copying; containers go on. */
    void close() {
        List<LogCopy> all;
        lock.lock();
        try {
            all = List.copyOf(copies.values());
            copies.clear();
        } finally {
            lock.unlock();
        }
        all.forEach(LogCopy::close);
    }
}
