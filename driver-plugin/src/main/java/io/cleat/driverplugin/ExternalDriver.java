package io.cleat.driverplugin;

import io.cleat.base.DriverTrouble;
import io.cleat.base.Effect;
import io.cleat.base.Retry;
import io.cleat.driver.ConfigTexts;
import io.cleat.driver.DriverCapabilities;
import io.cleat.driver.ExecCommand;
import io.cleat.driver.ExecSession;
import io.cleat.driver.ExitResult;
import io.cleat.driver.NetworkMaker;
import io.cleat.driver.TaskConfig;
import io.cleat.driver.TaskDriver;
import io.cleat.driver.TaskHandle;
import io.cleat.driver.TaskHasEnded;
import io.cleat.driver.TaskLost;
import io.cleat.driver.TaskStats;
import io.cleat.driver.shim.ShimTasks;
import io.cleat.driverplugin.config.SchemaRow;
import io.cleat.driverschema.DriverGrpc;
import io.cleat.driverschema.DriverProto;
import io.cleat.kernel.BootId;
import io.cleat.model.DriverFacts;
import io.cleat.model.DriverNetwork;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A task driver that lives in a program of its own. What is written down of its tasks is here, so that they are
 * somebody's whether the program lives or not.
 *
 * <p>Used by any thread.
 */
public final class ExternalDriver implements TaskDriver {
    private static final Logger LOG = LoggerFactory.getLogger(ExternalDriver.class);

    /** Of the handle's {@code state}, which is the task's id. */
    private static final int HANDLE_VERSION = 1;

    private final KnownPlugin known;
    private final DriverSupervisor plugin;
    private final FollowedOutput outputs;
    private final TaskStarts starts;
    private final TaskRecords records;
    private final BootId boot;
    private final TaskCalls calls;
    private final GivenNetworks networks;
    private final TaskStops stops;
    private final ReportedUsage usage;

    ExternalDriver(
            KnownPlugin known,
            DriverSupervisor plugin,
            Path directory,
            PluginParts parts,
            FollowedOutput outputs,
            BootId boot) {
        this.known = known;
        this.plugin = plugin;
        this.outputs = outputs;
        this.records = new TaskRecords(directory.resolve("tasks"));
        this.boot = boot;
        this.calls = new TaskCalls(known.name(), plugin, records, boot, parts.time());
        this.networks = new GivenNetworks(calls);
        this.starts = new TaskStarts(known.name(), directory.resolve("fifos"), parts, outputs, networks);
        this.stops = new TaskStops(known.name(), plugin, records, calls, parts);
        this.usage = new ReportedUsage(parts.time());
    }

    @Override
    public String name() {
        return known.name();
    }

    @Override
    public DriverCapabilities capabilities() {
        return latest().capabilities();
    }

    private KnownPlugin latest() {
        return plugin.latest().orElse(known);
    }

    @Override
    public boolean joinsNetworks() {
        return latest().joinsNetworks();
    }

    @Override
    public Optional<NetworkMaker> networkMaker() {
        return latest().makesNetworks() ? Optional.of(new PluginNetworks(calls)) : Optional.empty();
    }

    /** It is told; what it makes of it is its own. */
    @Override
    public boolean setsDns() {
        return true;
    }

    /**
     * What its program says of itself.
     *
     * @param version the program's own
     * @param pid of its process
     * @param settings what its own settings may hold
     * @param task what a task's {@code config} may hold
     */
    public record Description(String version, long pid, List<SchemaRow> settings, List<SchemaRow> task) {
        public Description {
            settings = List.copyOf(settings);
            task = List.copyOf(task);
        }
    }

    /** What its program says of itself, asked now. */
    public Description description() throws DriverTrouble, InterruptedException {
        DriverSupervisor.Life life = calls.now("PluginInfo");
        return new Description(
                life.version(),
                life.running().process().pid(),
                life.settings().rows(),
                life.schema().rows());
    }

    @Override
    public DriverFacts fingerprint() {
        return plugin.facts();
    }

    /** Only a program that runs can say what is wrong; {@link #start} asks again. */
    @Override
    public List<String> faults(Map<String, Object> config) {
        try {
            return calls.now("TaskConfigSchema").schema().faults(config);
        } catch (DriverTrouble silent) {
            return List.of();
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
            return List.of();
        }
    }

    @Override
    public TaskHandle start(TaskConfig config) throws DriverTrouble, InterruptedException {
        String id = config.id();
        DriverSupervisor.Life life = calls.now("StartTask");
        List<String> faults = new ArrayList<>(life.schema().faults(config.config()));
        ConfigTexts.checkVariables(config.env(), faults);
        if (!faults.isEmpty()) {
            throw ShimTasks.refused(id, String.join("; ", faults));
        }
        if (records.find(id).isPresent()) {
            throw ShimTasks.refused(id, "it was started before");
        }
        TaskRecords.Stored stored = new TaskRecords.Stored(id, boot.value(), null, null);
        records.put(stored);
        try {
            DriverProto.TaskHandle handle = starts.start(config, life);
            records.put(stored.withHandle(Base64.getEncoder().encodeToString(handle.toByteArray())));
            return calls.handle(id, HANDLE_VERSION);
        } catch (DriverTrouble failed) {
            if (failed.effect() == Effect.NONE) {
                forget(id);
            }
            throw failed;
        }
    }

    @Override
    public Optional<DriverNetwork> network(TaskHandle task) throws DriverTrouble, InterruptedException {
        return networks.of(task.id());
    }

    /** Nothing of it runs. */
    private void forget(String id) throws DriverTrouble, InterruptedException {
        outputs.end(id);
        usage.forget(id);
        networks.forget(id);
        starts.forget(id);
        records.remove(id);
    }

    @Override
    public Optional<TaskHandle> find(TaskConfig config) throws DriverTrouble, InterruptedException {
        Optional<TaskRecords.Stored> stored = records.find(config.id());
        if (stored.isEmpty()) {
            return Optional.empty();
        }
        if (stored.get().handle() == null && calls.inspect(config.id()).isEmpty()) {
            forget(config.id());
            return Optional.empty();
        }
        return Optional.of(calls.handle(config.id(), HANDLE_VERSION));
    }

    @Override
    public Set<String> allocations() throws DriverTrouble {
        Set<String> running = new TreeSet<>();
        for (TaskRecords.Stored stored : records.all()) {
            String allocation = stored.id().substring(0, stored.id().indexOf('/'));
            if (!running.contains(allocation) && lives(stored)) {
                running.add(allocation);
            }
        }
        return running;
    }

    @Override
    public List<TaskHandle> live(String allocId) throws DriverTrouble {
        List<TaskHandle> living = new ArrayList<>();
        for (TaskRecords.Stored stored : records.all()) {
            if (stored.id().startsWith(allocId + "/") && lives(stored)) {
                living.add(calls.handle(stored.id(), HANDLE_VERSION));
            }
        }
        return living;
    }

    private boolean lives(TaskRecords.Stored stored) throws DriverTrouble {
        if (!stored.boot().equals(boot.value())) {
            return false;
        }
        try {
            return runs(stored);
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
            throw new DriverTrouble(
                    "interrupted while the driver was asked for " + stored.id(), Effect.NONE, Retry.SAME_CALL, end);
        }
    }

    private boolean runs(TaskRecords.Stored stored) throws DriverTrouble, InterruptedException {
        return stored.end() == null
                && calls.inspect(stored.id())
                        .filter(status -> status.getState() != DriverProto.TaskState.EXITED)
                        .isPresent();
    }

    @Override
    public ExitResult await(TaskHandle task) throws DriverTrouble, InterruptedException {
        TaskRecords.Stored stored = stored(task);
        ExitResult known = stored.end();
        if (known != null) {
            return known;
        }
        ExitResult end = calls.awaitEnd(task.id());
        ExitResult whole = new ExitResult(end.exitCode(), end.signal(), end.oomKilled(), outputs.end(task.id()));
        records.put(stored.ended(whole));
        return whole;
    }

    private TaskRecords.Stored stored(TaskHandle task) throws DriverTrouble {
        ShimTasks.requireReadable(task, name(), HANDLE_VERSION);
        Optional<TaskRecords.Stored> stored = records.find(task.id());
        if (stored.isEmpty()) {
            throw new TaskLost(task.id(), "nothing is written down of it", false);
        }
        return stored.get();
    }

    @Override
    public void stop(TaskHandle task, String signal, Duration timeout) throws DriverTrouble {
        if (!signal.isEmpty()) {
            ShimTasks.number(signal, task.id());
        }
        if (stored(task).end() != null) {
            return;
        }
        stops.begin(task.id(), signal, timeout);
    }

    private void requireRunning(TaskHandle task, String so) throws DriverTrouble, InterruptedException {
        if (!runs(stored(task))) {
            throw new TaskHasEnded(task.id(), so);
        }
    }

    @Override
    public void signal(TaskHandle task, String signal) throws DriverTrouble, InterruptedException {
        ShimTasks.number(signal, task.id());
        requireRunning(task, "takes no signal");
        calls.answer(
                task.id(),
                DriverGrpc.getSignalTaskMethod(),
                DriverProto.SignalTaskRequest.newBuilder()
                        .setTaskId(task.id())
                        .setSignal(signal)
                        .build());
    }

    @Override
    public ExecSession exec(TaskHandle task, ExecCommand command) throws DriverTrouble, InterruptedException {
        if (!capabilities().exec()) {
            return TaskDriver.super.exec(task, command);
        }
        requireRunning(task, "runs no commands");
        return PluginExec.start(calls.now("ExecTaskStreaming").channel(), task.id(), command);
    }

    @Override
    public TaskStats stats(TaskHandle task) throws DriverTrouble, InterruptedException {
        requireRunning(task, "uses nothing");
        return calls.ask(task.id(), calls.now("TaskStats"), life -> usage.ask(life.channel(), task.id()));
    }

    @Override
    public OptionalLong lostOutput(TaskHandle task) throws DriverTrouble {
        ExitResult end = stored(task).end();
        if (end != null) {
            return OptionalLong.of(end.lostOutput());
        }
        return OptionalLong.of(outputs.lost(task.id()));
    }

    @Override
    public void destroy(TaskHandle task) throws DriverTrouble, InterruptedException {
        ShimTasks.requireReadable(task, name(), HANDLE_VERSION);
        Optional<TaskRecords.Stored> stored = records.find(task.id());
        if (stored.isEmpty()) {
            return;
        }
        try {
            calls.answer(
                    task.id(),
                    DriverGrpc.getDestroyTaskMethod(),
                    DriverProto.DestroyTaskRequest.newBuilder()
                            .setTaskId(task.id())
                            .setForce(true)
                            .build());
        } catch (TaskLost unknown) {
            LOG.debug("{} is known to nobody: {}", task.id(), unknown.reason());
        } catch (PluginShutDown gone) {
            // What has ended, a plugin that comes after does not know either.
            if (stored.get().end() == null) {
                throw gone;
            }
        }
        forget(task.id());
    }

    /** Lets go of the program, which goes on. */
    void close() {
        plugin.close();
    }

    /** Ends the program: none of its tasks is wanted any more. */
    void end() throws DriverTrouble, InterruptedException {
        plugin.end();
    }
}
