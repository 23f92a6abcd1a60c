package io.cleat.driverkit;

import com.google.protobuf.Timestamp;
import io.cleat.base.DriverTrouble;
import io.cleat.base.Effect;
import io.cleat.base.Retry;
import io.cleat.base.Threads;
import io.cleat.base.Time;
import io.cleat.base.Trouble;
import io.cleat.driver.DriverCapabilities;
import io.cleat.driver.ExitResult;
import io.cleat.driver.NetworkMaker;
import io.cleat.driver.TaskConfig;
import io.cleat.driver.TaskHandle;
import io.cleat.driver.TaskHasEnded;
import io.cleat.driver.TaskLost;
import io.cleat.driverschema.DriverGrpc;
import io.cleat.driverschema.DriverProto;
import io.cleat.driverschema.DriverProto.StartTaskResponse.Result;
import io.cleat.model.DriverFacts;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;

/** The calls of a driver, as its author's class answers them. */
final class DriverService extends DriverGrpc.DriverImplBase {
    /** How often its health is looked at; whoever runs plugins hears of what has changed. */
    private static final Duration LOOK = Duration.ofSeconds(5);

    private static final Duration LEAST_INTERVAL = Duration.ofMillis(100);

    private final PluginDriver driver;
    private final Threads threads;
    private final Time time;
    private final KnownTasks tasks = new KnownTasks();

    DriverService(PluginDriver driver, Threads threads, Time time) {
        this.driver = driver;
        this.threads = threads;
        this.time = time;
    }

    @Override
    public void taskConfigSchema(
            DriverProto.TaskConfigSchemaRequest request, StreamObserver<DriverProto.TaskConfigSchemaResponse> to) {
        Calls.answer(
                to,
                () -> DriverProto.TaskConfigSchemaResponse.newBuilder()
                        .setSpec(driver.taskConfig().spec())
                        .build());
    }

    @Override
    public void capabilities(
            DriverProto.CapabilitiesRequest request, StreamObserver<DriverProto.CapabilitiesResponse> to) {
        Calls.answer(
                to,
                () -> DriverProto.CapabilitiesResponse.newBuilder()
                        .setCapabilities(capabilities(driver.capabilities()))
                        .build());
    }

    private DriverProto.DriverCapabilities capabilities(DriverCapabilities can) {
        DriverProto.DriverCapabilities.Builder said = can(can);
        if (driver.joinsNetworks() || driver.networkMaker().isPresent()) {
            said.addNetworkIsolationModes(DriverProto.NetworkIsolationMode.GROUP);
        }
        return said.setMustCreateNetwork(driver.networkMaker().isPresent()).build();
    }

    private static DriverProto.DriverCapabilities.Builder can(DriverCapabilities can) {
        return DriverProto.DriverCapabilities.newBuilder()
                .setSendSignals(can.signals())
                .setExec(can.exec())
                .setFsIsolation(
                        switch (can.isolation()) {
                            case NONE -> DriverProto.DriverCapabilities.FSIsolation.NONE;
                            case CHROOT -> DriverProto.DriverCapabilities.FSIsolation.CHROOT;
                            case IMAGE -> DriverProto.DriverCapabilities.FSIsolation.IMAGE;
                        })
                .addNetworkIsolationModes(DriverProto.NetworkIsolationMode.HOST)
                .setMountConfigs(
                        can.mounts()
                                ? DriverProto.DriverCapabilities.MountConfigs.ANY_MOUNTS
                                : DriverProto.DriverCapabilities.MountConfigs.NO_MOUNTS)
                .setDisableLogCollection(can.canDisableLogs());
    }

    @Override
    public void createNetwork(
            DriverProto.CreateNetworkRequest request, StreamObserver<DriverProto.CreateNetworkResponse> to) {
        Calls.answer(
                to,
                () -> DriverProto.CreateNetworkResponse.newBuilder()
                        .setIsolationSpec(
                                TaskMessages.network(maker().make(request.getAllocId(), request.getHostname())))
                        .setCreated(true)
                        .build());
    }

    @Override
    public void destroyNetwork(
            DriverProto.DestroyNetworkRequest request, StreamObserver<DriverProto.DestroyNetworkResponse> to) {
        Calls.answer(to, () -> {
            DriverProto.NetworkIsolationSpec spec = request.getIsolationSpec();
            maker().unmake(request.getAllocId(), new NetworkMaker.Made(spec.getPath(), spec.getLabelsMap()));
            return DriverProto.DestroyNetworkResponse.getDefaultInstance();
        });
    }

    private NetworkMaker maker() throws DriverTrouble {
        return driver.networkMaker()
                .orElseThrow(() -> new DriverTrouble(
                        "the driver " + driver.name() + " makes no networks", Effect.NONE, Retry.NEVER));
    }

    @Override
    public void fingerprint(
            DriverProto.FingerprintRequest request, StreamObserver<DriverProto.FingerprintResponse> to) {
        Calls.complete(to, () -> {
            DriverFacts said = driver.fingerprint();
            to.onNext(facts(said));
            while (true) {
                time.sleep(LOOK);
                DriverFacts now = driver.fingerprint().since(said);
                if (!now.equals(said)) {
                    to.onNext(facts(now));
                    said = now;
                }
            }
        });
    }

    private static DriverProto.FingerprintResponse facts(DriverFacts facts) {
        DriverProto.FingerprintResponse.HealthState health = DriverProto.FingerprintResponse.HealthState.UNDETECTED;
        if (facts.detected()) {
            health = facts.healthy()
                    ? DriverProto.FingerprintResponse.HealthState.HEALTHY
                    : DriverProto.FingerprintResponse.HealthState.UNHEALTHY;
        }
        DriverProto.FingerprintResponse.Builder said = DriverProto.FingerprintResponse.newBuilder()
                .setHealth(health)
                .setHealthDescription(facts.healthDescription());
        new TreeMap<>(facts.attributes())
                .forEach((name, value) -> said.putAttributes(
                        name,
                        DriverProto.Attribute.newBuilder().setStringVal(value).build()));
        return said.build();
    }

    @Override
    public void startTask(DriverProto.StartTaskRequest request, StreamObserver<DriverProto.StartTaskResponse> to) {
        Calls.answer(to, () -> start(request.getTask()));
    }

    private DriverProto.StartTaskResponse start(DriverProto.TaskConfig wanted) throws InterruptedException {
        try {
            TaskConfig config = TaskMessages.config(wanted);
            TaskHandle handle = driver.start(config, TaskMessages.output(wanted));
            know(handle, config);
            DriverProto.StartTaskResponse.Builder said = DriverProto.StartTaskResponse.newBuilder()
                    .setResult(Result.SUCCESS)
                    .setHandle(TaskMessages.handle(handle, wanted));
            driver.network(handle).map(TaskMessages::network).ifPresent(said::setNetworkOverride);
            return said.build();
        } catch (DriverTrouble refused) {
            return DriverProto.StartTaskResponse.newBuilder()
                    .setResult(refused.retry().equals(Retry.SAME_CALL) ? Result.RETRY : Result.FATAL)
                    .setDriverErrorMsg(refused.reason())
                    .build();
        }
    }

    private void know(TaskHandle handle, TaskConfig config) {
        tasks.put(new KnownTasks.Known(handle, config.task(), time.now(), new TaskUse(time.now()), null));
    }

    @Override
    public void recoverTask(
            DriverProto.RecoverTaskRequest request, StreamObserver<DriverProto.RecoverTaskResponse> to) {
        Calls.answer(to, () -> {
            TaskConfig config = TaskMessages.config(request.getHandle().getConfig());
            Optional<TaskHandle> found = driver.find(config);
            know(
                    found.orElseThrow(
                            () -> new TaskLost(request.getTaskId(), "nothing of it is there any more", false)),
                    config);
            return DriverProto.RecoverTaskResponse.getDefaultInstance();
        });
    }

    @Override
    public void waitTask(DriverProto.WaitTaskRequest request, StreamObserver<DriverProto.WaitTaskResponse> to) {
        Calls.answer(to, () -> {
            DriverProto.WaitTaskResponse.Builder said = DriverProto.WaitTaskResponse.newBuilder();
            try {
                said.setResult(TaskMessages.end(end(request.getTaskId())));
            } catch (TaskLost unseen) {
                said.setErr(unseen.reason());
            }
            return said.build();
        });
    }

    private ExitResult end(String id) throws DriverTrouble, InterruptedException {
        ExitResult end = driver.await(tasks.get(id).handle());
        tasks.ended(id, end);
        return end;
    }

    @Override
    public void stopTask(DriverProto.StopTaskRequest request, StreamObserver<DriverProto.StopTaskResponse> to) {
        Calls.answer(to, () -> {
            Duration patience = Duration.ofSeconds(
                    request.getTimeout().getSeconds(), request.getTimeout().getNanos());
            driver.stop(tasks.get(request.getTaskId()).handle(), request.getSignal(), patience);
            try {
                end(request.getTaskId());
            } catch (TaskLost over) {
                // How it ended is nobody's question here.
                return DriverProto.StopTaskResponse.getDefaultInstance();
            }
            return DriverProto.StopTaskResponse.getDefaultInstance();
        });
    }

    @Override
    public void destroyTask(
            DriverProto.DestroyTaskRequest request, StreamObserver<DriverProto.DestroyTaskResponse> to) {
        Calls.answer(to, () -> {
            TaskHandle handle = tasks.get(request.getTaskId()).handle();
            if (!request.getForce() && runs(handle)) {
                throw new DriverTrouble(
                        "the task " + handle.id() + " runs: stop it first, or destroy it by force",
                        Effect.NONE,
                        Retry.NEVER);
            }
            driver.destroy(handle);
            tasks.remove(handle.id());
            return DriverProto.DestroyTaskResponse.getDefaultInstance();
        });
    }

    private boolean runs(TaskHandle handle) throws DriverTrouble {
        return driver.live(handle.id().substring(0, handle.id().indexOf('/'))).contains(handle);
    }

    @Override
    public void inspectTask(
            DriverProto.InspectTaskRequest request, StreamObserver<DriverProto.InspectTaskResponse> to) {
        Calls.answer(to, () -> {
            KnownTasks.Known known = tasks.get(request.getTaskId());
            DriverProto.TaskStatus.Builder status = DriverProto.TaskStatus.newBuilder()
                    .setId(known.handle().id())
                    .setName(known.name())
                    .setState(runs(known.handle()) ? DriverProto.TaskState.RUNNING : DriverProto.TaskState.EXITED)
                    .setStartedAt(Timestamp.newBuilder()
                            .setSeconds(known.since().getEpochSecond())
                            .setNanos(known.since().getNano()));
            ExitResult end = known.end();
            if (end != null) {
                status.setResult(TaskMessages.end(end));
            }
            DriverProto.InspectTaskResponse.Builder said =
                    DriverProto.InspectTaskResponse.newBuilder().setTask(status);
            driver.network(known.handle()).map(TaskMessages::network).ifPresent(said::setNetworkOverride);
            return said.build();
        });
    }

    @Override
    public void taskStats(DriverProto.TaskStatsRequest request, StreamObserver<DriverProto.TaskStatsResponse> to) {
        Duration asked = Duration.ofNanos(Math.max(0, request.getCollectionInterval()));
        Duration interval = asked.compareTo(LEAST_INTERVAL) < 0 ? LEAST_INTERVAL : asked;
        Calls.complete(to, () -> {
            KnownTasks.Known known = tasks.get(request.getTaskId());
            while (true) {
                Optional<DriverProto.TaskStats> stats = stats(known);
                if (stats.isEmpty()) {
                    return;
                }
                to.onNext(DriverProto.TaskStatsResponse.newBuilder()
                        .setStats(stats.get())
                        .build());
                time.sleep(interval);
            }
        });
    }

    /** Empty once it has ended. */
    private Optional<DriverProto.TaskStats> stats(KnownTasks.Known known) throws DriverTrouble, InterruptedException {
        try {
            return Optional.of(known.use().message(known.handle().id(), driver.stats(known.handle())));
        } catch (TaskHasEnded over) {
            return Optional.empty();
        }
    }

    @Override
    public void taskEvents(DriverProto.TaskEventsRequest request, StreamObserver<DriverProto.DriverTaskEvent> to) {
        // Drivers of this kit have none; whoever listens is not told that there is no such call.
        Calls.complete(to, DriverService::waitForEver);
    }

    private static void waitForEver() throws Trouble, InterruptedException {
        new CountDownLatch(1).await();
    }

    @Override
    public void signalTask(DriverProto.SignalTaskRequest request, StreamObserver<DriverProto.SignalTaskResponse> to) {
        Calls.answer(to, () -> {
            driver.signal(tasks.get(request.getTaskId()).handle(), request.getSignal());
            return DriverProto.SignalTaskResponse.getDefaultInstance();
        });
    }

    @Override
    public StreamObserver<DriverProto.ExecTaskStreamingRequest> execTaskStreaming(
            StreamObserver<DriverProto.ExecTaskStreamingResponse> to) {
        return CommandCall.begin(driver, tasks, threads, to);
    }
}
