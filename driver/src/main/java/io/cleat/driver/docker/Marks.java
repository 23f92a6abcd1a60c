package io.cleat.driver.docker;

import io.cleat.base.DiskTrouble;
import io.cleat.base.DriverTrouble;
import io.cleat.base.Effect;
import io.cleat.base.Retry;
import io.cleat.driver.OwnFiles;
import io.cleat.kernel.DurableFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Which things of an engine this node has begun: a file with the name of each, written before the engine is asked to
 * make it and removed after it is gone. So a node knows without its engine where there is nothing to ask.
 *
 * <p>Used by any thread. {@code lock} is held while a file is written: two may mean the same one.
 */
final class Marks {
    private final Path directory;
    private final ReentrantLock lock = new ReentrantLock();

    /** @param directory on a local disk, made if it is not there; its owner's alone */
    Marks(Path directory) {
        this.directory = directory;
    }

    /** Durable when it returns. */
    void put(String name) throws DriverTrouble {
        lock.lock();
        try {
            DurableFiles.makeDirectory(directory);
            DurableFiles.write(directory.resolve(name), new byte[0]);
        } catch (DiskTrouble failed) {
            throw trouble(failed);
        } finally {
            lock.unlock();
        }
    }

    void remove(String name) throws DriverTrouble {
        lock.lock();
        try {
            if (has(name)) {
                DurableFiles.delete(directory.resolve(name));
            }
        } catch (DiskTrouble failed) {
            throw trouble(failed);
        } finally {
            lock.unlock();
        }
    }

    boolean has(String name) {
        return Files.exists(directory.resolve(name));
    }

    /** All names. */
    Set<String> names() throws DriverTrouble {
        return OwnFiles.names(directory);
    }

    private static DriverTrouble trouble(DiskTrouble failed) {
        return new DriverTrouble(failed.reason(), Effect.NONE, Retry.SAME_CALL, failed);
    }
}
