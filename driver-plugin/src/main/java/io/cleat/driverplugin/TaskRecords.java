package io.cleat.driverplugin;

import io.cleat.base.DiskTrouble;
import io.cleat.base.DriverTrouble;
import io.cleat.base.Effect;
import io.cleat.codec.RecordCodec;
import io.cleat.driver.ExitResult;
import io.cleat.driver.OwnFiles;
import io.cleat.driver.shim.ShimTasks;
import io.cleat.kernel.DurableFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What is written down of one driver's tasks: a file each, from before it is started until it is forgotten. So it is
 * known without the plugin which tasks there are, and what a plugin needs to take one over.
 *
 * <p>Used by any thread. {@code lock} is held while a file is written: two may mean the same one.
 */
final class TaskRecords {
    static final RecordCodec<Stored> FORMAT = RecordCodec.stored("dtsk", 1, Stored.class);

    /**
     * One task.
     *
     * @param id as in its {@link io.cleat.driver.TaskConfig}
     * @param boot in which start of the machine it was started
     * @param handle what its plugin said of it, in base64; null as long as it has said nothing
     * @param end null until it is known
     */
    record Stored(
            String id,
            String boot,
            @Nullable String handle,
            @Nullable ExitResult end) {
        Stored withHandle(String said) {
            return new Stored(id, boot, said, end);
        }

        Stored ended(ExitResult how) {
            return new Stored(id, boot, handle, how);
        }
    }

    private final Path directory;
    private final ReentrantLock lock = new ReentrantLock();

    /** @param directory on a local disk, made if it is not there; its owner's alone */
    TaskRecords(Path directory) {
        this.directory = directory;
    }

    private Path file(String id) throws DriverTrouble {
        return directory.resolve(ShimTasks.directoryName(id));
    }

    /** What is written of a task; empty if nothing is. */
    Optional<Stored> find(String id) throws DriverTrouble {
        return read(file(id));
    }

    private static Optional<Stored> read(Path file) throws DriverTrouble {
        try {
            return Files.notExists(file)
                    ? Optional.empty()
                    : Optional.of(FORMAT.decodeFile(
                            file,
                            "It has what a driver plugin's task is: put it back from a"
                                    + " copy, or end the task by hand and delete it"));
        } catch (DiskTrouble failed) {
            throw trouble(failed);
        }
    }

    /** All that is written, by id. */
    List<Stored> all() throws DriverTrouble {
        List<Stored> all = new ArrayList<>();
        for (String name : OwnFiles.names(directory)) {
            if (!name.endsWith(".tmp")) {
                read(directory.resolve(name)).ifPresent(all::add);
            }
        }
        all.sort(Comparator.comparing(Stored::id));
        return all;
    }

    /** Durable when it returns. */
    void put(Stored stored) throws DriverTrouble {
        lock.lock();
        try {
            DurableFiles.makeDirectory(directory);
            DurableFiles.write(file(stored.id()), FORMAT.encodeForFile(stored));
        } catch (DiskTrouble failed) {
            throw trouble(failed);
        } finally {
            lock.unlock();
        }
    }

    void remove(String id) throws DriverTrouble {
        lock.lock();
        try {
            DurableFiles.delete(file(id));
        } catch (DiskTrouble failed) {
            throw trouble(failed);
        } finally {
            lock.unlock();
        }
    }

    private static DriverTrouble trouble(DiskTrouble failed) {
        return new DriverTrouble(failed.reason(), Effect.NONE, failed.retry(), failed);
    }
}
