package io.cleat.driverkit;

import io.cleat.base.DriverTrouble;
import io.cleat.base.Effect;
import io.cleat.base.Retry;
import io.cleat.driver.ExitResult;
import io.cleat.driver.TaskHandle;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The tasks that this program has started or was handed. Used by any thread. */
final class KnownTasks {
    private final Map<String, Known> tasks = new ConcurrentHashMap<>();

    /**
     * One of them.
     *
     * @param since when it was started, or handed over
     * @param end how it ended; null while that is not known
     */
    record Known(
            TaskHandle handle,
            String name,
            Instant since,
            TaskUse use,
            @Nullable ExitResult end) {
        Known ended(ExitResult how) {
            return new Known(handle, name, since, use, how);
        }
    }

    void put(Known task) {
        tasks.put(task.handle().id(), task);
    }

    /**
     * The task of that id.
     *
     * @throws DriverTrouble with the words by which it is handed over again
     */
    Known get(String id) throws DriverTrouble {
        Known known = tasks.get(id);
        if (known == null) {
            throw new DriverTrouble(Calls.UNKNOWN_TASK, Effect.NONE, Retry.NEVER);
        }
        return known;
    }

    void ended(String id, ExitResult how) {
        tasks.computeIfPresent(id, (key, known) -> known.ended(how));
    }

    void remove(String id) {
        tasks.remove(id);
    }
}
