package io.cleat.state;

import io.cleat.model.AccessMode;
import io.cleat.model.AllocAddress;
import io.cleat.model.AllocatedPort;
import io.cleat.model.AttachmentMode;
import io.cleat.model.BlockedBy;
import io.cleat.model.ClientStatus;
import io.cleat.model.Constraint;
import io.cleat.model.ControllerCapability;
import io.cleat.model.CsiPluginSpec;
import io.cleat.model.DriverFacts;
import io.cleat.model.EphemeralDisk;
import io.cleat.model.HostVolumeSpec;
import io.cleat.model.JobId;
import io.cleat.model.JobSpec;
import io.cleat.model.JobTag;
import io.cleat.model.JobType;
import io.cleat.model.MigratePolicy;
import io.cleat.model.MountOptions;
import io.cleat.model.NodeCapability;
import io.cleat.model.NodeEvent;
import io.cleat.model.NodeFacts;
import io.cleat.model.PluginInstance;
import io.cleat.model.PluginType;
import io.cleat.model.ReschedulePolicy;
import io.cleat.model.Resources;
import io.cleat.model.RestartPolicy;
import io.cleat.model.Task;
import io.cleat.model.TaskEvent;
import io.cleat.model.TaskGroup;
import io.cleat.model.TaskState;
import io.cleat.model.Topology;
import io.cleat.model.TopologyRequest;
import io.cleat.model.UpdatePolicy;
import io.cleat.model.VariableId;
import io.cleat.model.VolumeId;
import io.cleat.model.VolumeModes;
import io.cleat.model.VolumeMount;
import io.cleat.model.VolumeRequest;
import io.cleat.model.VolumeSpec;
import io.cleat.testkit.FullJob;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Rows with every component filled in: what {@link SampleChanges} are made of. */
final class Samples {
    static final Instant AT = Instant.parse("2026-01-02T03:04:05.678Z");
    static final JobId JOB = new JobId("default", "web");
    static final VolumeId VOLUME = new VolumeId("default", "data");
    static final VolumeKey KEY = new VolumeKey("local", "ext-1");
    static final VolumeModes MODES = new VolumeModes(AccessMode.SINGLE_NODE_WRITER, AttachmentMode.FILE_SYSTEM);
    static final BlockedBy REASON = new BlockedBy("claim", "allocation a1 of job default/web", AT, null, "it goes on");
    static final Topology PLACE = new Topology(Map.of("zone", "z1", "rack", "r2"));
    static final AttachmentId ATTACHMENT = new AttachmentId(KEY, "n1");

    private Samples() {}

    static NodeRow node(String id, String... plugins) {
        return node(
                id,
                java.util.Arrays.stream(plugins)
                        .map(plugin -> instance(plugin, "p-" + id))
                        .toList());
    }

    static NodeRow node(String id, List<PluginInstance> instances) {
        return new NodeRow(
                new NodeFacts(
                        id,
                        "name-" + id,
                        "dc1",
                        "default",
                        "big",
                        "127.0.0.1:4646",
                        Map.of("kernel.name", "linux", "os.name", "debian"),
                        Map.of("rack", "r1"),
                        Map.of("raw_exec", new DriverFacts(true, true, "Healthy", Map.of("v", "1"), AT)),
                        instances,
                        new Resources(4000, 8192, 0),
                        100_000,
                        "boot-1",
                        List.of()),
                NodeStatus.READY,
                "ready",
                true,
                "5ec4e7",
                AT,
                List.of(new NodeEvent("Cluster", "Node registered", Map.of("k", "v"), AT)),
                new NodeDrain(
                        NodeDrain.Status.COMPLETE,
                        Duration.ofHours(1),
                        true,
                        AT,
                        AT,
                        AT,
                        Map.of("message", "new disk")),
                NodeProof.NONE,
                0,
                0);
    }

    static PluginInstance instance(String plugin, String alloc) {
        return new PluginInstance(
                plugin,
                alloc,
                true,
                "healthy",
                "org.example",
                "1.2",
                true,
                false,
                AT,
                new PluginInstance.Controller(
                        Set.of(ControllerCapability.CREATE_DELETE_VOLUME, ControllerCapability.LIST_VOLUMES), false),
                new PluginInstance.Node(
                        "ext-node", Long.MAX_VALUE, PLACE, Set.of(NodeCapability.STAGE_UNSTAGE_VOLUME)));
    }

    static JobRow job(JobId id, @Nullable String plugin) {
        RestartPolicy restart =
                new RestartPolicy(2, Duration.ofMinutes(30), Duration.ofSeconds(15), RestartPolicy.Mode.FAIL, false);
        Task task = Task.named("main", "raw_exec", restart)
                .user("nobody")
                .config(Map.of("command", "/bin/true", "args", List.of("a", 1L, true, 2.5)))
                .env(Map.of("E", "v"))
                .meta(Map.of("m", "v"))
                .constraints(List.of(new Constraint("${attr.kernel.name}", "=", "linux")))
                .resources(new Resources(100, 300, 0))
                .volumeMounts(List.of(new VolumeMount("vol", "/data", false, "private", "")))
                .killSignal("SIGTERM")
                .leader(true)
                .csiPlugin(
                        plugin == null
                                ? null
                                : new CsiPluginSpec(
                                        plugin,
                                        PluginType.MONOLITH,
                                        "/csi",
                                        "/local/csi",
                                        Duration.ofSeconds(30),
                                        null))
                .done();
        TaskGroup group = new TaskGroup(
                "g",
                1,
                Map.of(),
                List.of(),
                Map.of("vol", new VolumeRequest("vol", "data", false, MODES, MountOptions.NONE, false)),
                restart,
                new ReschedulePolicy(1, Duration.ofHours(24), Duration.ofSeconds(5), "constant", Duration.ZERO, false),
                new MigratePolicy(1, "checks", Duration.ofSeconds(10), Duration.ofMinutes(5)),
                new UpdatePolicy(
                        1,
                        0,
                        "checks",
                        Duration.ofSeconds(10),
                        Duration.ofMinutes(5),
                        Duration.ofMinutes(10),
                        Duration.ofSeconds(30),
                        false,
                        false),
                new EphemeralDisk(300, false, false),
                Duration.ofSeconds(1),
                List.of(task));
        JobSpec spec = new JobSpec(
                id,
                id.id(),
                JobType.SERVICE,
                "global",
                "default",
                50,
                false,
                List.of("*"),
                Map.of("owner", "me"),
                List.of(),
                List.of(group));
        return new JobRow(spec, 0, false, AT, 0, 0, 0);
    }

    static EvaluationRow evaluation(String id, JobId job) {
        PlacementMetric metric = new PlacementMetric(
                3,
                1,
                1,
                3,
                "default",
                Map.of("dc1", 3),
                Map.of("big", 1),
                Map.of("CSI plugin local is missing from client n1", 1),
                Map.of("big", 1),
                Map.of("memory", 1),
                List.of(new PlacementMetric.Score("n2", Map.of("binpack", 0.5, "job-anti-affinity", -0.25), 0.125)),
                List.of(new PlacementMetric.Verdict("n1", "no plugin")),
                2);
        return EvaluationRow.pending(id, job(job, null), 50, Trigger.JOB_REGISTER, "n1", AT)
                .status(EvaluationStatus.BLOCKED, "waits", AT)
                .waitUntil(AT.plusSeconds(5))
                .previousEval("e-p")
                .nextEval("e-n")
                .blockedEval("e-b")
                .outcome(new EvaluationRow.Outcome(Map.of("g", metric), Map.of("g", 1), Map.of(), null, 7))
                .blockedOn(List.of(VOLUME), true, REASON);
    }

    static AllocationRow allocation(String id, JobId job, long jobModifyVersion, String node) {
        return allocation(id, job, jobModifyVersion, node, List.of());
    }

    static AllocationRow allocation(
            String id, JobId job, long jobModifyVersion, String node, List<AllocatedPort> ports) {
        return new AllocationRow(
                new AllocationRow.Identity(id, job.id() + ".g[0]", 0, job, "g"),
                new AllocationRow.ByVersion(0, jobModifyVersion, List.of()),
                new AllocationRow.Placed(
                        node,
                        "name-" + node,
                        Map.of("main", new Resources(100, 300, 0)),
                        300,
                        ports,
                        PlacementMetric.NONE),
                AllocationRow.Wanted.TO_RUN,
                AllocationRow.Seen.NOTHING,
                new AllocationRow.Lineage(
                        "a0", "", "e1", "e2", List.of(new RescheduleEvent(AT, "a0", "n0", Duration.ofSeconds(5)))),
                null,
                AllocationRow.Stamps.at(AT));
    }

    static Change.AllocationReported report(String id, ClientStatus status) {
        return new Change.AllocationReported(
                id,
                status,
                "as the node says",
                Map.of(
                        "main",
                        new TaskState(
                                TaskState.Phase.RUNNING,
                                false,
                                1,
                                AT,
                                AT,
                                null,
                                List.of(new TaskEvent("Started", AT, "Task started", Map.of("k", "v"))))),
                Map.of("vol", new VolumeProgress(VOLUME, 4, VolumeProgress.Phase.MOUNTING, 7, REASON)),
                null,
                null);
    }

    static DeploymentRow deployment(String id, JobId job) {
        return new DeploymentRow(
                id,
                job,
                3,
                1,
                DeploymentStatus.RUNNING,
                "Deployment is running",
                Map.of(
                        "g",
                        new DeploymentRow.Group(true, true, true, 1, 3, Duration.ofMinutes(10), AT.plusSeconds(600))),
                AT,
                AT,
                0,
                0);
    }

    static final AllocAddress ADDRESS = new AllocAddress("eth0", "172.26.64.2", "fd00::2");

    /** A job whose group keeps the volume of {@link #stickyClaim}. */
    static JobRow keeping(JobId id) {
        JobSpec spec = job(id, null).spec();
        TaskGroup group = Plain.with(
                spec.groups().getFirst(),
                "volumes",
                FullJob.onHost().groups().getFirst().volumes());
        return new JobRow(Plain.with(spec, "groups", List.of(group)), 0, false, AT, 0, 0, 0);
    }

    static HostVolumeOrder order() {
        return new HostVolumeOrder("/srv/hv3", 2, new BlockedBy("create", "node n1", AT, AT.plusSeconds(60), "wait"));
    }

    static StickyClaimRow stickyClaim(String id, JobId job, VolumeId volume) {
        return new StickyClaimRow(id, job, "g", job.id() + ".g[0]", volume, "disk", "a1", AT, 0, 0);
    }

    static final JobTag TAG = new JobTag("golden", "the one to go back to", AT);

    static ScaleEvent scaleEvent(@Nullable Integer count) {
        return new ScaleEvent(AT, count, 2, true, "no room", Map.of("by", "autoscaler", "tries", 3L), "e14", 0);
    }

    static HostVolumeRow hostVolume(String node, String id) {
        return HostVolumeRow.of(
                new HostVolumeSpec(
                        id,
                        "team",
                        "disk",
                        "mkdir",
                        node,
                        "default",
                        List.of(new Constraint("${attr.kernel.name}", "=", "linux")),
                        List.of(MODES),
                        1 << 20,
                        1 << 30,
                        Map.of("mode", "0750")),
                AT);
    }

    static VariableLock lock() {
        return VariableLock.taken("l1", Duration.ofSeconds(15), Duration.ofMinutes(1));
    }

    static VariableRow variable(VariableId id) {
        return VariableRow.of(id, new Encrypted("c2VjcmV0"), AT);
    }

    static SchedulingRow scheduling(SchedulingRow.Algorithm algorithm) {
        return new SchedulingRow(algorithm, true, true, 0, 0);
    }

    static NamespaceRow namespace(String name) {
        return new NamespaceRow(
                name, "of the team", Map.of("owner", "team"), List.of("exec", "raw_exec"), List.of("docker"), 0, 0);
    }

    static OtherPastRow otherPast(String nodeId, long version) {
        return new OtherPastRow(nodeId, "one", version, "reign-x", 12, AT, true, 0, 0);
    }

    static HoldingRow holding(String nodeId, String allocId, VolumeKey key) {
        return new HoldingRow(new HoldingId(nodeId, key, allocId, "data"), AT, 0, 0);
    }

    static List<Remainder> everyRemainder() {
        return List.of(
                new Remainder.WakeAll(),
                new Remainder.WakeForRoom(),
                new Remainder.WakeForVolume(KEY),
                new Remainder.HandOn(KEY),
                new Remainder.NodeUp("n1", null),
                new Remainder.NodeUp("n2", JOB),
                new Remainder.NodeDown("n1", "a1"),
                new Remainder.NodeBooted("n1"),
                new Remainder.CancelWaiting(JOB, "it was stopped"),
                new Remainder.Hurry(JOB),
                new Remainder.Reschedule(JOB),
                new Remainder.FailAttaching(ATTACHMENT, "not attached within 5 min"));
    }

    static VolumeSpec spec(VolumeId id, VolumeKey key) {
        return spec(id, key, new MountOptions("ext4", List.of("noatime")));
    }

    static VolumeSpec spec(VolumeId id, VolumeKey key, MountOptions options) {
        return new VolumeSpec(
                id,
                "name",
                key.externalId(),
                key.pluginId(),
                List.of(MODES),
                options,
                1 << 20,
                1 << 30,
                Map.of("type", "ext4"),
                Map.of("c", "v"),
                new TopologyRequest(List.of(PLACE), List.of()),
                "",
                "");
    }

    static VolumeRow volume(VolumeId id, VolumeKey key) {
        return VolumeRow.of(spec(id, key), new Encrypted("c2VjcmV0"), 1 << 21, List.of(PLACE), AT);
    }

    static ClaimRow claim(String alloc, VolumeId volume, VolumeKey key, ClaimState state) {
        return new ClaimRow(
                new ClaimId(alloc, "vol"),
                volume,
                key,
                "n1",
                false,
                MODES,
                MountOptions.NONE,
                state == ClaimState.WAITING ? "" : "boot-1",
                state == ClaimState.WAITING ? 0 : 4,
                state,
                AT,
                state == ClaimState.GRANTED ? null : REASON,
                0,
                0);
    }

    static AttachmentRow attachment(AttachmentId id) {
        return new AttachmentRow(
                id,
                VOLUME,
                "ext-node",
                true,
                MODES,
                new Encrypted("Y29udGV4dA=="),
                AttachmentState.ATTACHED,
                AT,
                REASON,
                0,
                0);
    }

    static OperationRow operation(String id, OperationCall call, @Nullable OperationOutcome outcome) {
        return new OperationRow(
                id,
                "local",
                "n1",
                "p-n1",
                3,
                call,
                outcome == null ? OperationState.UNKNOWN : OperationState.DONE,
                true,
                outcome,
                2,
                AT.plusSeconds(1),
                AT,
                REASON,
                OperationPast.NONE,
                0,
                0);
    }
}
