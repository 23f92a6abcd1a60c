package io.cleat.nodeapi;

import io.cleat.agent.NodeMeta;
import io.cleat.agent.alloc.AllocationDirectory;
import io.cleat.agent.task.TaskRecord;
import io.cleat.agent.task.TaskRunner;
import io.cleat.api.AgentConfig;
import io.cleat.api.AgentHealth;
import io.cleat.api.AgentSelf;
import io.cleat.api.AllocCheck;
import io.cleat.api.AllocStats;
import io.cleat.api.Metrics;
import io.cleat.api.NodeMetaResponse;
import io.cleat.api.NodeStats;
import io.cleat.api.TaskStats;
import io.cleat.api.VolumeUse;
import io.cleat.base.DriverTrouble;
import io.cleat.base.Refusal;
import io.cleat.base.Refused;
import io.cleat.base.TextRule;
import io.cleat.base.Time;
import io.cleat.base.Trouble;
import io.cleat.driver.ExecCommand;
import io.cleat.driver.TaskDriver;
import io.cleat.driver.TaskHandle;
import io.cleat.http.AgentLog;
import io.cleat.http.ExecFrames;
import io.cleat.http.ExecQuery;
import io.cleat.http.FilesApi;
import io.cleat.http.LogQuery;
import io.cleat.http.NodeApi;
import io.cleat.http.PieceReader;
import io.cleat.kernel.Place;
import io.cleat.model.Signals;
import io.cleat.model.TaskState;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The agent of this process, as the routes see it. */
public final class AgentNode implements NodeApi {
    /**
     * What is known of the agent from the start.
     *
     * @param nodeId empty where no node runs
     * @param dataDirectory where allocations are kept
     * @param mhzPerCore how fast a processor is
     */
    public record Setting(AgentConfig config, String nodeId, Path dataDirectory, double mhzPerCore) {}

    private final Setting setting;
    private final UnaryOperator<AgentSelf> server;
    private final LocalNode local;
    private final Map<String, TaskDriver> drivers;
    private final Supplier<AgentHealth> health;
    private final Supplier<Map<String, Double>> process;
    private final AgentLog log;
    private final Time time;
    private final HostUse host;
    private final TaskUse tasks;
    private final AllocationFiles files;
    private final NodeFigures figures;

    /**
     * @param server what the server of this process adds to what its agent says of itself
     * @param drivers by name
     * @param health of the parts that run
     * @param process figures of this process, by name
     * @param log what this process logs
     */
    public AgentNode(
            Setting setting,
            UnaryOperator<AgentSelf> server,
            LocalNode local,
            Map<String, TaskDriver> drivers,
            Supplier<AgentHealth> health,
            Supplier<Map<String, Double>> process,
            AgentLog log,
            Time time) {
        this.setting = setting;
        this.server = server;
        this.local = local;
        this.drivers = Map.copyOf(drivers);
        this.health = health;
        this.process = process;
        this.log = log;
        this.time = time;
        this.host = hostUse();
        this.tasks = new TaskUse(setting.mhzPerCore());
        this.figures = new NodeFigures(
                setting.config(), setting.nodeId(), local, this.drivers, hostUse(), new TaskUse(setting.mhzPerCore()));
        this.files = new AllocationFiles(local, time);
    }

    private HostUse hostUse() {
        return new HostUse(Path.of("/proc"), setting.dataDirectory(), setting.mhzPerCore(), time);
    }

    @Override
    public Metrics metrics() throws InterruptedException {
        return Metrics.ofGauges(figures.of(process.get()), time.now());
    }

    @Override
    public AgentSelf self() {
        Map<String, Map<String, String>> stats = new TreeMap<>();
        if (!setting.nodeId().isEmpty()) {
            stats.put("client", Map.of("node_id", setting.nodeId()));
        }
        return server.apply(new AgentSelf(setting.config(), null, stats));
    }

    @Override
    public AgentHealth health() {
        return health.get();
    }

    @Override
    public NodeStats stats(String nodeId) throws Refused, Trouble {
        requireOwn(nodeId);
        return host.now();
    }

    @Override
    public NodeMetaResponse meta(String nodeId) throws Refused {
        return shown(ownMeta(nodeId));
    }

    @Override
    public NodeMetaResponse changeMeta(String nodeId, Map<String, @Nullable String> more) throws Refused, Trouble {
        NodeMeta meta = ownMeta(nodeId);
        meta.change(more);
        return shown(meta);
    }

    private NodeMeta ownMeta(String nodeId) throws Refused {
        requireOwn(nodeId);
        Optional<NodeMeta> meta = local.meta();
        if (meta.isEmpty()) {
            throw new Refused(new Refusal.NotFound("no node runs in this agent: name one with node_id"));
        }
        return meta.get();
    }

    private static NodeMetaResponse shown(NodeMeta meta) {
        return new NodeMetaResponse(meta.said(), new TreeMap<>(meta.get()), new TreeMap<>(meta.started()));
    }

    @Override
    public PieceReader monitor(String nodeId, AgentLog.Severity level, boolean json) throws Refused {
        requireOwn(nodeId);
        return log.follow(level, json);
    }

    private void requireOwn(String nodeId) throws Refused {
        if (!nodeId.isEmpty() && !nodeId.equals(setting.nodeId())) {
            throw new Refused(new Refusal.NotFound("No path to node"));
        }
    }

    @Override
    public AllocStats allocStats(String allocId, String task) throws Refused, Trouble, InterruptedException {
        Map<String, TaskStats> stats = new TreeMap<>();
        Map<String, TaskRecord> records = records(allocId);
        if (!task.isEmpty() && !records.containsKey(task)) {
            throw unknownTask(task);
        }
        for (Map.Entry<String, TaskRecord> record : records.entrySet()) {
            TaskHandle handle = record.getValue().handle();
            boolean isAsked = task.isEmpty() || task.equals(record.getKey());
            boolean runs = record.getValue().state().phase() == TaskState.Phase.RUNNING;
            if (handle != null && isAsked && runs) {
                measured(handle, record.getValue()).ifPresent(measured -> stats.put(record.getKey(), measured));
            }
        }
        return TaskUse.sum(stats);
    }

    @Override
    public void giveUpFiles(String allocId) throws Refused {
        local.giveUpFiles(allocId);
    }

    @Override
    public void giveUpAllFiles(String nodeId) throws Refused {
        requireOwn(nodeId);
        local.giveUpAllFiles();
    }

    @Override
    public Map<String, AllocCheck> checks(String allocId) throws Refused {
        records(allocId);
        Map<String, AllocCheck> shown = new TreeMap<>();
        local.checks(allocId)
                .ifPresent(of -> of.checks().forEach(each -> {
                    AllocCheck check = AllocationShown.check(of.name(), allocId, each);
                    shown.put(check.ID(), check);
                }));
        return shown;
    }

    @Override
    public Map<String, VolumeUse> volumes(String allocId) throws Refused, InterruptedException {
        records(allocId);
        Map<String, VolumeUse> shown = new TreeMap<>();
        local.volumes(allocId).forEach((alias, seen) -> shown.put(alias, AllocationShown.use(seen)));
        return shown;
    }

    /** Empty if the task ended just now. */
    private Optional<TaskStats> measured(TaskHandle handle, TaskRecord record) throws InterruptedException {
        TaskDriver driver = drivers.get(handle.driver());
        if (driver == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(
                    tasks.of(handle.id(), driver.stats(handle), record.state().startedAt()));
        } catch (DriverTrouble gone) {
            return Optional.empty();
        }
    }

    @Override
    public PieceReader logs(LogQuery query) throws Refused, Trouble {
        TaskRecord record = records(query.allocId()).get(query.task());
        if (record == null) {
            throw unknownTask(query.task());
        }
        if (record.state().startedAt() == null) {
            throw new Refused(new Refusal.NotFound("task \"" + query.task() + "\" not started yet. No logs available"));
        }
        if (!local.collectsLogs(query.allocId(), query.task())) {
            throw new Refused(new Refusal.NotFound("log collection is disabled for task \"" + query.task() + "\""));
        }
        AllocationDirectory directory =
                local.directory(query.allocId()).orElseThrow(() -> unknownAllocation(query.allocId()));
        return RotatedLog.open(
                Place.of(directory.root(), directory.logs()),
                query.task() + "." + query.stream().wire(),
                query.offset(),
                query.fromEnd(),
                query.follow(),
                () -> isOver(query),
                time);
    }

    @Override
    public ExecFrames exec(ExecQuery query) throws Refused, Trouble, InterruptedException {
        Map<String, TaskRecord> records = records(query.allocId());
        String task = query.task();
        if (task.isEmpty() && records.size() == 1) {
            task = records.keySet().iterator().next();
        }
        if (task.isEmpty()) {
            throw new Refused(new Refusal.Malformed("the allocation has several tasks: name one of them"));
        }
        TaskRecord record = records.get(task);
        if (record == null) {
            throw unknownTask(task);
        }
        TaskHandle handle = record.handle();
        TaskDriver driver = handle == null ? null : drivers.get(handle.driver());
        if (handle == null || driver == null || record.state().phase() != TaskState.Phase.RUNNING) {
            throw notRunning(task);
        }
        return TaskCommands.run(driver, handle, new ExecCommand(query.command(), query.terminal()));
    }

    @Override
    public void signal(String allocId, String task, String signal) throws Refused, Trouble, InterruptedException {
        if (Signals.number(signal).isEmpty()) {
            throw new Refused(
                    new Refusal.Invalid("unknown signal \"" + signal + "\": give a name such as SIGHUP or SIGUSR1"));
        }
        boolean isSent = false;
        for (TaskRunner runner : runners(allocId, task)) {
            isSent |= runner.running().signal(signal, "asked for by a user");
        }
        if (!isSent) {
            throw noneRuns(task);
        }
    }

    @Override
    public void restart(String allocId, String task) throws Refused, InterruptedException {
        boolean isDone = false;
        for (TaskRunner runner : runners(allocId, task)) {
            isDone |= runner.running().restart("a user asked for a restart");
        }
        if (!isDone) {
            throw noneRuns(task);
        }
    }

    @Override
    public void restartAll(String allocId) throws Refused {
        records(allocId);
        local.restartAll(allocId);
    }

    /** The one that is named, or all that were begun. */
    private List<TaskRunner> runners(String allocId, String task) throws Refused {
        Map<String, TaskRecord> records = records(allocId);
        if (!task.isEmpty() && !records.containsKey(task)) {
            throw unknownTask(task);
        }
        List<TaskRunner> found = (task.isEmpty() ? records.keySet() : Set.of(task))
                .stream().flatMap(name -> local.runner(allocId, name).stream()).toList();
        if (found.isEmpty()) {
            throw noneRuns(task);
        }
        return found;
    }

    private static Refused noneRuns(String task) {
        return task.isEmpty()
                ? new Refused(new Refusal.NotFound("no task of the allocation is running."))
                : notRunning(task);
    }

    @Override
    public FilesApi files() {
        return files;
    }

    @Override
    public void requireNamespace(String allocId, String namespace) throws Refused {
        if (namespace.isEmpty() || namespace.equals("*")) {
            return;
        }
        if (local.namespace(allocId).filter(own -> !own.equals(namespace)).isPresent()) {
            throw new Refused(new Refusal.NotFound("alloc not found"));
        }
    }

    /** Once a task is dead, or not here any more, its shim writes nothing more. */
    private boolean isOver(LogQuery query) {
        return local.tasks(query.allocId())
                .map(all -> all.get(query.task()))
                .map(record -> record.state().phase() == TaskState.Phase.DEAD)
                .orElse(true);
    }

    private Map<String, TaskRecord> records(String allocId) throws Refused {
        local.requireTakenOver(allocId);
        return local.tasks(allocId).orElseThrow(() -> unknownAllocation(allocId));
    }

    static Refused unknownAllocation(String allocId) {
        return new Refused(new Refusal.NotFound("Unknown allocation " + TextRule.quoted(allocId)));
    }

    private static Refused notRunning(String task) {
        return new Refused(new Refusal.NotFound("task \"" + task + "\" is not running."));
    }

    private static Refused unknownTask(String task) {
        return new Refused(new Refusal.NotFound("unknown task name " + TextRule.quoted(task)));
    }
}
