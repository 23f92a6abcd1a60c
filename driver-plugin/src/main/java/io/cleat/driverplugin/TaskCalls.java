package io.cleat.driverplugin;

import com.google.protobuf.InvalidProtocolBufferException;
import io.cleat.base.Deadline;
import io.cleat.base.DriverTrouble;
import io.cleat.base.Effect;
import io.cleat.base.Retry;
import io.cleat.base.Time;
import io.cleat.driver.ExitResult;
import io.cleat.driver.TaskHandle;
import io.cleat.driver.TaskLost;
import io.cleat.driverschema.DriverGrpc;
import io.cleat.driverschema.DriverProto;
import io.cleat.kernel.BootId;
import io.grpc.MethodDescriptor;
import java.time.Duration;
import java.util.Base64;
import java.util.Optional;

/**
 * Calls about one task. A plugin that does not know the task, because it was started after it, is given the task's
 * handle and asked again.
 *
 * <p>Used by any thread.
 */
final class TaskCalls {
    /** How long whoever asks waits for a plugin that is being started. */
    private static final Duration STARTING = Duration.ofSeconds(10);

    private final String driver;
    private final DriverSupervisor plugin;
    private final TaskRecords records;
    private final BootId boot;
    private final Time time;

    TaskCalls(String driver, DriverSupervisor plugin, TaskRecords records, BootId boot, Time time) {
        this.driver = driver;
        this.plugin = plugin;
        this.records = records;
        this.boot = boot;
        this.time = time;
    }

    /** A call to the plugin about one task. */
    @FunctionalInterface
    interface Asking<T> {
        T of(DriverSupervisor.Life life) throws DriverTrouble, InterruptedException;
    }

    /** The plugin as it runs now, waited for a moment. */
    DriverSupervisor.Life now(String what) throws DriverTrouble, InterruptedException {
        return plugin.now(Deadline.in(time, STARTING), what);
    }

    /**
     * An answer to a call that is answered at once.
     *
     * @throws TaskLost if nobody knows the task any more
     */
    <Q, R> R answer(String id, MethodDescriptor<Q, R> method, Q request) throws DriverTrouble, InterruptedException {
        return ask(
                id,
                now(String.valueOf(method.getBareMethodName())),
                life -> life.channel().call(method, request, PluginClient.SHORT));
    }

    /**
     * An answer about a task.
     *
     * @throws TaskLost if nobody knows the task any more
     */
    <T> T ask(String id, DriverSupervisor.Life life, Asking<T> asking) throws DriverTrouble, InterruptedException {
        try {
            try {
                return asking.of(life);
            } catch (PluginAnswered said) {
                if (!said.isUnknownTask()) {
                    throw said;
                }
            }
            recover(id, life);
            return asking.of(life);
        } catch (PluginShutDown gone) {
            // Whoever asks next waits for its successor.
            plugin.isGone(life);
            throw gone;
        }
    }

    private void recover(String id, DriverSupervisor.Life life) throws DriverTrouble, InterruptedException {
        TaskRecords.Stored stored = records.find(id).orElseThrow(() -> lost(id, "nothing is written down of it"));
        if (!stored.boot().equals(boot.value())) {
            throw new TaskLost(id, "the machine was restarted while it ran", true);
        }
        String handle = stored.handle();
        if (handle == null) {
            throw lost(id, "its plugin ended before it had said how it is found again");
        }
        try {
            life.channel()
                    .call(
                            DriverGrpc.getRecoverTaskMethod(),
                            DriverProto.RecoverTaskRequest.newBuilder()
                                    .setTaskId(id)
                                    .setHandle(decoded(id, handle))
                                    .build(),
                            PluginClient.SHORT);
        } catch (PluginAnswered said) {
            throw lost(id, "the plugin could not take it over: " + said.reason());
        }
    }

    private static DriverProto.TaskHandle decoded(String id, String handle) throws DriverTrouble {
        try {
            return DriverProto.TaskHandle.parseFrom(Base64.getDecoder().decode(handle));
        } catch (InvalidProtocolBufferException | IllegalArgumentException damaged) {
            throw new DriverTrouble(
                    "the handle of the task " + id + " cannot be read: " + damaged, Effect.NONE, Retry.NEVER, damaged);
        }
    }

    private static TaskLost lost(String id, String how) {
        return new TaskLost(id, how, false);
    }

    /** Blocks until the plugin says how it ended. */
    ExitResult awaitEnd(String id) throws DriverTrouble, InterruptedException {
        DriverProto.WaitTaskResponse said = ask(
                id,
                plugin.next(),
                life -> life.channel()
                        .await(
                                DriverGrpc.getWaitTaskMethod(),
                                DriverProto.WaitTaskRequest.newBuilder()
                                        .setTaskId(id)
                                        .build()));
        if (!said.getErr().isEmpty()) {
            throw lost(id, said.getErr());
        }
        return result(said.getResult());
    }

    static ExitResult result(DriverProto.ExitResult said) {
        return new ExitResult(
                said.getSignal() == 0 ? said.getExitCode() : 128 + said.getSignal(),
                said.getSignal(),
                said.getOomKilled());
    }

    /**
     * What the plugin says of a task.
     *
     * @return empty if it does not know it, and never will
     */
    Optional<DriverProto.TaskStatus> inspect(String id) throws DriverTrouble, InterruptedException {
        DriverProto.InspectTaskRequest request =
                DriverProto.InspectTaskRequest.newBuilder().setTaskId(id).build();
        try {
            return Optional.of(inspect(id, request));
        } catch (TaskLost unknown) {
            return Optional.empty();
        }
    }

    /** Where the plugin says that a task is. */
    DriverProto.NetworkOverride network(String id) throws DriverTrouble, InterruptedException {
        return answer(
                        id,
                        DriverGrpc.getInspectTaskMethod(),
                        DriverProto.InspectTaskRequest.newBuilder()
                                .setTaskId(id)
                                .build())
                .getNetworkOverride();
    }

    /** To look changes nothing: a plugin that has just gone is no reason not to ask the next. */
    private DriverProto.TaskStatus inspect(String id, DriverProto.InspectTaskRequest request)
            throws DriverTrouble, InterruptedException {
        try {
            return answer(id, DriverGrpc.getInspectTaskMethod(), request).getTask();
        } catch (PluginShutDown gone) {
            return answer(id, DriverGrpc.getInspectTaskMethod(), request).getTask();
        }
    }

    /** What finds a task again. */
    TaskHandle handle(String id, int version) {
        return new TaskHandle(driver, id, version, id);
    }
}
