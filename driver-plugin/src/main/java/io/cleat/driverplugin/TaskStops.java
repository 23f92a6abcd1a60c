package io.cleat.driverplugin;

import io.cleat.base.BackOff;
import io.cleat.base.DriverTrouble;
import io.cleat.base.Threads;
import io.cleat.driver.TaskLost;
import io.cleat.driver.shim.ShimTasks;
import io.cleat.driverschema.DriverGrpc;
import io.cleat.driverschema.DriverProto;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends tasks of a driver plugin. A plugin that does not answer is asked until it does, or the task has ended.
 *
 * <p>Holds nothing; each stop has a thread of its own, which ends with the plugin's answer.
 */
final class TaskStops {
    private static final Logger LOG = LoggerFactory.getLogger(TaskStops.class);

    /** How much longer than the task's own time its plugin may take. */
    private static final Duration BEYOND = Duration.ofSeconds(30);

    private static final BackOff AGAIN = new BackOff(Duration.ofMillis(200), Duration.ofSeconds(10));

    private final String driver;
    private final DriverSupervisor plugin;
    private final TaskRecords records;
    private final TaskCalls calls;
    private final PluginParts parts;

    TaskStops(String driver, DriverSupervisor plugin, TaskRecords records, TaskCalls calls, PluginParts parts) {
        this.driver = driver;
        this.plugin = plugin;
        this.records = records;
        this.calls = calls;
        this.parts = parts;
    }

    /**
     * Begins to end a task.
     *
     * @param signal empty for the usual one
     */
    void begin(String id, String signal, Duration timeout) {
        DriverProto.StopTaskRequest request = DriverProto.StopTaskRequest.newBuilder()
                .setTaskId(id)
                .setSignal(signal.isEmpty() ? ShimTasks.DEFAULT_SIGNAL : signal)
                .setTimeout(com.google.protobuf.Duration.newBuilder()
                        .setSeconds(timeout.getSeconds())
                        .setNanos(timeout.getNano()))
                .build();
        parts.threads()
                .contained(
                        "driver/" + driver + "/stop",
                        () -> untilStopped(id, request, timeout.plus(BEYOND)),
                        Threads.OnFault.NOTHING_MORE);
    }

    private void untilStopped(String id, DriverProto.StopTaskRequest request, Duration limit)
            throws InterruptedException {
        for (int failures = 0; ; failures++) {
            try {
                Optional<TaskRecords.Stored> stored = records.find(id);
                if (stored.isEmpty() || stored.get().end() != null) {
                    return;
                }
                calls.ask(
                        id, plugin.next(), life -> life.channel().call(DriverGrpc.getStopTaskMethod(), request, limit));
                return;
            } catch (TaskLost gone) {
                return;
            } catch (DriverTrouble trouble) {
                LOG.warn("task {} could not be stopped yet: {}", id, trouble.reason());
            }
            parts.time().sleep(AGAIN.wait(failures, parts.chance()));
        }
    }
}
