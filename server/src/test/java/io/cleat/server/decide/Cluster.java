package io.cleat.server.decide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.DiskTrouble;
import io.cleat.base.Refusal;
import io.cleat.base.Refused;
import io.cleat.model.AccessMode;
import io.cleat.model.AllocHealth;
import io.cleat.model.AttachmentMode;
import io.cleat.model.ClientStatus;
import io.cleat.model.ControllerCapability;
import io.cleat.model.CsiPluginSpec;
import io.cleat.model.DriverFacts;
import io.cleat.model.EphemeralDisk;
import io.cleat.model.JobId;
import io.cleat.model.JobSpec;
import io.cleat.model.JobType;
import io.cleat.model.MigratePolicy;
import io.cleat.model.MountOptions;
import io.cleat.model.NodeCapability;
import io.cleat.model.NodeFacts;
import io.cleat.model.PluginInstance;
import io.cleat.model.PluginType;
import io.cleat.model.ReschedulePolicy;
import io.cleat.model.Resources;
import io.cleat.model.RestartPolicy;
import io.cleat.model.Task;
import io.cleat.model.TaskGroup;
import io.cleat.model.TopologyRequest;
import io.cleat.model.UpdatePolicy;
import io.cleat.model.VolumeId;
import io.cleat.model.VolumeModes;
import io.cleat.model.VolumeRequest;
import io.cleat.model.VolumeSpec;
import io.cleat.schedule.Plan;
import io.cleat.schedule.Scheduler;
import io.cleat.server.ClusterMachine;
import io.cleat.server.FactsDraft;
import io.cleat.server.commit.DecideContext;
import io.cleat.server.commit.Decision;
import io.cleat.state.AllocationRow;
import io.cleat.state.Change;
import io.cleat.state.ChangeCodec;
import io.cleat.state.ClaimRow;
import io.cleat.state.ClusterState;
import io.cleat.state.Encrypted;
import io.cleat.state.EvaluationRow;
import io.cleat.state.EvaluationStatus;
import io.cleat.state.RemainderRow;
import io.cleat.state.Snapshot;
import io.cleat.state.VolumeProgress;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A cluster without log and threads: commands are decided and applied one after the other, time moves by a second each,
 * and the scheduler runs when told to.
 */
public final class Cluster {
    public static final String PLUGIN = "local";

    /** Larger than that, in bytes, is no decision, however large the cluster. */
    static final int MOST = 256 << 10;

    private ClusterState state = ClusterState.empty();
    private Instant now = Instant.parse("2026-03-01T00:00:00Z");
    private int ids;
    private int largest;
    private String largestOf = "";
    private int part = DecideContext.PART;
    private int steps = 64;

    /** Decisions that go over rows change one at a time, and plans are made of small parts. */
    void inSmallParts() {
        part = 1;
        steps = 2;
    }

    /** A plan places one allocation, and the next looks at all nodes anew. */
    void planOneByOne() {
        steps = 1;
    }

    public ClusterState state() {
        return state;
    }

    public Instant now() {
        return now;
    }

    public void pass(Duration time) {
        now = now.plus(time);
    }

    /** What all members read. */
    public int level = 1;

    public String id() {
        return String.format(Locale.ROOT, "%08d-0000-0000-0000-000000000000", ++ids);
    }

    public <R> Decision<Change, R> decide(Command<R> command) {
        return decide(command, Optional.empty());
    }

    public <R> Decision<Change, R> decide(Command<R> command, Optional<String> requestId) {
        now = now.plusSeconds(1);
        DecideContext context = new DecideContext(state.version() + 1, now, requestId, level, part);
        Optional<Refusal> forbidden = new ClusterMachine().forbids(state, command);
        Decision<Change, R> decision =
                forbidden.isPresent() ? new Decision.Reject<>(forbidden.get()) : command.decide(state, context);
        if (decision instanceof Decision.Accept<Change, R>(List<Change> changes, R reply) && !changes.isEmpty()) {
            // What is stored is what is applied.
            state = state.apply(stored(changes), state.version() + 1, now);
        }
        return decision;
    }

    /** Bytes of the largest decision. */
    int largest() {
        return largest;
    }

    /** What the largest decision is of. */
    String largestOf() {
        return largestOf;
    }

    private List<Change> stored(List<Change> changes) {
        try {
            byte[] bytes = ChangeCodec.encode(changes);
            if (bytes.length > largest) {
                largest = bytes.length;
                largestOf = changes.size()
                        + " changes, "
                        + changes.getFirst().getClass().getSimpleName();
            }
            assertTrue(
                    bytes.length < MOST,
                    () -> "a decision of "
                            + bytes.length
                            + " bytes with "
                            + changes.size()
                            + " changes, the first "
                            + changes.getFirst());
            return ChangeCodec.decode(bytes);
        } catch (DiskTrouble | Refused e) {
            throw new AssertionError(e);
        }
    }

    public <R> R accept(Command<R> command) {
        return switch (decide(command)) {
            case Decision.Accept<Change, R>(List<Change> changes, R reply) -> reply;
            case Decision.Reject<Change, R>(Refusal refusal) ->
                throw new AssertionError("refused: " + refusal.message());
        };
    }

    /** Refused: the words. Nothing has changed. */
    public String refuse(Command<?> command) {
        String before = Snapshot.digest(state);
        Decision<Change, ?> decision = decide(command);
        if (decision instanceof Decision.Reject<Change, ?>(Refusal refusal)) {
            assertEquals(before, Snapshot.digest(state));
            return refusal.message();
        }
        throw new AssertionError("not refused: " + command);
    }

    // Nodes.

    public NodeFacts facts(String id, String boot, PluginInstance... plugins) {
        return new NodeFacts(
                id,
                "name-" + id,
                "dc1",
                "default",
                "",
                "",
                Map.of("kernel.name", "linux"),
                Map.of(),
                Map.of("raw_exec", new DriverFacts(true, true, "", Map.of(), Instant.EPOCH)),
                List.of(plugins),
                new Resources(2000, 2000, 0),
                10_000,
                boot,
                List.of());
    }

    public PluginInstance plugin(String node, ControllerCapability... capabilities) {
        return plugin(node, Set.of(), capabilities);
    }

    PluginInstance plugin(String node, Set<NodeCapability> onNodes, ControllerCapability... capabilities) {
        return new PluginInstance(
                PLUGIN,
                "plugin-alloc-" + node,
                true,
                "healthy",
                "org.example",
                "1",
                capabilities.length > 0,
                false,
                Instant.EPOCH,
                capabilities.length == 0 ? null : new PluginInstance.Controller(Set.of(capabilities), false),
                new PluginInstance.Node("ext-" + node, 1000, null, onNodes));
    }

    public void node(String id) {
        register(facts(id, "boot-1", plugin(id)));
    }

    /** The node says what it found that it does not know, and what waits is planned again. */
    void finds(String id, String... unclear) {
        NodeFacts facts = facts(id, "boot-1", plugin(id));
        accept(new ReportFacts(FactsDraft.of(facts).unclear(List.of(unclear)).done(), id()));
        schedule();
    }

    public void register(NodeFacts facts) {
        accept(new RegisterNode(facts, "secret-" + facts.id(), false, id()));
    }

    // Volumes.

    public static final VolumeModes WRITER = new VolumeModes(AccessMode.SINGLE_NODE_WRITER, AttachmentMode.FILE_SYSTEM);
    public static final VolumeModes SHARED =
            new VolumeModes(AccessMode.MULTI_NODE_MULTI_WRITER, AttachmentMode.FILE_SYSTEM);

    public static VolumeId volumeId(String id) {
        return new VolumeId("default", id);
    }

    public static VolumeSpec volume(String id, String externalId, VolumeModes... modes) {
        return new VolumeSpec(
                volumeId(id),
                id,
                externalId,
                PLUGIN,
                List.of(modes),
                MountOptions.NONE,
                0,
                0,
                Map.of(),
                Map.of(),
                TopologyRequest.NONE,
                "",
                "");
    }

    /** Registers a volume of a plugin that has no controller. */
    public void volume(String id, VolumeModes... modes) {
        accept(new RegisterVolume(volume(id, "ext-" + id, modes), Encrypted.NONE, id()));
    }

    public List<ClaimRow> claims(String volume) {
        return state.claims().ofVolume(volumeId(volume));
    }

    public ClaimRow claim(String volume, String job) {
        return claims(volume).stream()
                .filter(claim -> state.allocation(claim.allocId())
                        .map(row -> row.job().id().equals(job))
                        .orElse(false))
                .reduce((older, newer) -> newer)
                .orElseThrow(() -> new AssertionError(job + " has no claim of " + volume));
    }

    // Jobs.

    public static JobId jobId(String id) {
        return new JobId("default", id);
    }

    public static VolumeRequest request(String volume, VolumeModes modes, boolean readOnly) {
        return new VolumeRequest(volume, volume, readOnly, modes, MountOptions.NONE, false);
    }

    public static JobSpec job(String id, JobType type, int count, VolumeRequest... volumes) {
        return job(id, type, count, null, "/bin/true", volumes);
    }

    public static JobSpec job(
            String id,
            JobType type,
            int count,
            @Nullable CsiPluginSpec plugin,
            String command,
            VolumeRequest... volumes) {
        RestartPolicy restart =
                new RestartPolicy(0, Duration.ofHours(1), Duration.ZERO, RestartPolicy.Mode.FAIL, false);
        Task task = Task.named("main", "raw_exec", restart)
                .config(Map.of("command", command))
                .resources(new Resources(100, 100, 0))
                .csiPlugin(plugin)
                .done();
        Map<String, VolumeRequest> requests = new TreeMap<>();
        for (VolumeRequest request : volumes) {
            requests.put(request.alias(), request);
        }
        TaskGroup group = new TaskGroup(
                "g",
                count,
                Map.of(),
                List.of(),
                requests,
                restart,
                type.isOnEachNode()
                        ? null
                        : new ReschedulePolicy(
                                0, Duration.ZERO, Duration.ofSeconds(30), "exponential", Duration.ofHours(1), true),
                null,
                null,
                new EphemeralDisk(10, false, false),
                null,
                List.of(task));
        return new JobSpec(
                jobId(id), id, type, "global", "default", 50, false, List.of("*"), Map.of(), List.of(), List.of(group));
    }

    /** The job in another namespace. */
    static JobSpec in(String namespace, JobSpec job) {
        return new JobSpec(
                new JobId(namespace, job.id().id()),
                job.name(),
                job.type(),
                job.region(),
                job.nodePool(),
                job.priority(),
                job.allAtOnce(),
                job.datacenters(),
                job.meta(),
                job.constraints(),
                job.groups());
    }

    /** The job with tasks of this size. */
    public static JobSpec sized(JobSpec job, Resources resources) {
        Task task = job.groups().getFirst().tasks().getFirst();
        return withTask(
                job,
                Task.named(task.name(), task.driver(), task.restart())
                        .config(task.config())
                        .resources(resources)
                        .done());
    }

    /** The job with another driver for its only task. */
    public static JobSpec driven(JobSpec job, String driver) {
        Task task = job.groups().getFirst().tasks().getFirst();
        return withTask(
                job,
                Task.named(task.name(), driver, task.restart())
                        .config(task.config())
                        .resources(task.resources())
                        .csiPlugin(task.csiPlugin())
                        .done());
    }

    /** The job with so much time for its only task to stop. */
    static JobSpec stopping(JobSpec job, Duration killTimeout) {
        Task task = job.groups().getFirst().tasks().getFirst();
        return withTask(job, task.edit().killTimeout(killTimeout).done());
    }

    private static JobSpec withTask(JobSpec job, Task task) {
        TaskGroup group = job.groups().getFirst();
        return job.withGroups(List.of(group.withTasks(List.of(task))));
    }

    /** The job with other policies for its only group. */
    public static JobSpec with(JobSpec job, @Nullable MigratePolicy migrate, @Nullable UpdatePolicy update) {
        TaskGroup group = job.groups().getFirst();
        return job.withGroups(List.of(new TaskGroup(
                group.name(),
                group.count(),
                group.meta(),
                group.constraints(),
                group.volumes(),
                group.restart(),
                group.reschedule(),
                migrate,
                update,
                group.disk(),
                group.shutdownDelay(),
                group.tasks())));
    }

    /** A node says that an allocation runs, and whether it is healthy. */
    void says(AllocationRow row, boolean healthy) {
        accept(new ReportAllocations(
                row.nodeId(),
                List.of(new ReportAllocations.Report(
                        row.id(),
                        ClientStatus.RUNNING,
                        "",
                        Map.of(),
                        Map.of(),
                        new AllocHealth(row.deploymentId(), healthy, now),
                        null)),
                id()));
    }

    public static CsiPluginSpec pluginSpec(String baseDir) {
        return new CsiPluginSpec(PLUGIN, PluginType.MONOLITH, "/csi", baseDir, Duration.ofSeconds(30), null);
    }

    /** Registers a job of one allocation that writes a single-writer volume, and places it. */
    public void writer(String job, String volume) {
        run(job(job, JobType.SERVICE, 1, request(volume, WRITER, false)));
    }

    public void run(JobSpec spec) {
        accept(new RegisterJob(spec, null, null, 0, id()));
        schedule();
    }

    public void stop(String job) {
        accept(new DeregisterJob(jobId(job), false, false, false, 0, id()));
        schedule();
    }

    /** The servers end, and begin again from what they have stored. */
    public void restart() {
        try {
            ByteArrayOutputStream stored = new ByteArrayOutputStream();
            Snapshot.write(state, stored);
            state = Snapshot.read(new ByteArrayInputStream(stored.toByteArray()));
        } catch (IOException | DiskTrouble e) {
            throw new AssertionError(e);
        }
    }

    /** Does what decisions have left, a part of each in turn. */
    void workOff() {
        for (int round = 0; round < 5000; round++) {
            List<RemainderRow> left = List.copyOf(state.remainders());
            if (left.isEmpty()) {
                return;
            }
            left.forEach(row -> accept(new ContinueRemainder(row.id(), id())));
        }
        throw new AssertionError("remainders do not end: " + state.remainders());
    }

    /** Runs the scheduler until no evaluation is due. */
    public void schedule() {
        workOff();
        for (int round = 0; round < 100_000; round++) {
            Optional<EvaluationRow> due = due().stream().findFirst();
            if (due.isEmpty()) {
                return;
            }
            accept(new CommitPlan(plan(due.get()), id()));
            workOff();
        }
        throw new AssertionError("evaluations do not come to rest");
    }

    /** The evaluations that are to be run now, oldest first. */
    public List<EvaluationRow> due() {
        return state.evaluations().in(EvaluationStatus.PENDING).stream()
                .filter(e -> e.waitUntil() == null || !e.waitUntil().isAfter(now))
                .toList();
    }

    public Plan plan(EvaluationRow evaluation) {
        return new Scheduler(state, this::id, now).part(evaluation, steps);
    }

    public EvaluationRow onlyBlocked() {
        List<EvaluationRow> blocked = state.evaluations().in(EvaluationStatus.BLOCKED);
        assertEquals(1, blocked.size(), "blocked evaluations");
        return blocked.getFirst();
    }

    /** The newest allocation of a job. */
    public AllocationRow allocation(String job) {
        return state.allocationsOfJob(jobId(job)).stream()
                .max(Comparator.comparingLong(AllocationRow::createVersion).thenComparing(AllocationRow::id))
                .orElseThrow(() -> new AssertionError("job " + job + " has no allocation"));
    }

    // What nodes say.

    public void report(AllocationRow row, ClientStatus status, VolumeProgress.Phase phase) {
        Map<String, VolumeProgress> volumes = new TreeMap<>();
        for (ClaimRow claim : state.claims().ofAllocation(row.id())) {
            volumes.put(claim.alias(), new VolumeProgress(claim.volume(), claim.epoch(), phase, 0, null));
        }
        report(row, status, volumes);
    }

    public void report(AllocationRow row, ClientStatus status, Map<String, VolumeProgress> volumes) {
        accept(new ReportAllocations(
                row.nodeId(),
                List.of(new ReportAllocations.Report(row.id(), status, "", Map.of(), volumes, null, null)),
                id()));
    }

    /** The allocation runs, its volumes mounted. */
    public void runs(String job) {
        report(allocation(job), ClientStatus.RUNNING, VolumeProgress.Phase.PUBLISHED);
    }

    /** The allocation has ended, and its node says that nothing of its volumes is left. */
    public void ends(AllocationRow row, ClientStatus how) {
        report(row, how, VolumeProgress.Phase.UNPUBLISHED);
        schedule();
    }

    public void down(String node) {
        accept(new NodeUnheard(node, "heartbeat missed", id()));
        schedule();
    }
}
