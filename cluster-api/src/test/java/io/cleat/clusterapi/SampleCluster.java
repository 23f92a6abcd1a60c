package io.cleat.clusterapi;

import io.cleat.api.Canonical;
import io.cleat.api.CsiVolume;
import io.cleat.api.Faults;
import io.cleat.api.Job;
import io.cleat.api.JobConversion;
import io.cleat.api.JobValidation;
import io.cleat.api.Json;
import io.cleat.base.Ids;
import io.cleat.base.Refusal;
import io.cleat.base.Refused;
import io.cleat.base.Sha256;
import io.cleat.base.SystemTime;
import io.cleat.clusterapi.membership.LoneServer;
import io.cleat.clusterapi.membership.Membership;
import io.cleat.http.ReadQuery;
import io.cleat.model.AccessMode;
import io.cleat.model.AttachmentMode;
import io.cleat.model.BlockedBy;
import io.cleat.model.ClientStatus;
import io.cleat.model.ControllerCapability;
import io.cleat.model.DriverFacts;
import io.cleat.model.JobId;
import io.cleat.model.JobSpec;
import io.cleat.model.MountOptions;
import io.cleat.model.NodeAddress;
import io.cleat.model.NodeCapability;
import io.cleat.model.NodeEvent;
import io.cleat.model.NodeFacts;
import io.cleat.model.NodeNetwork;
import io.cleat.model.PluginInstance;
import io.cleat.model.Resources;
import io.cleat.model.TaskEvent;
import io.cleat.model.TaskState;
import io.cleat.model.Topology;
import io.cleat.model.TopologyRequest;
import io.cleat.model.VolumeEvent;
import io.cleat.model.VolumeId;
import io.cleat.model.VolumeModes;
import io.cleat.model.VolumeSpec;
import io.cleat.server.commit.AppliedDecision;
import io.cleat.server.intake.Images;
import io.cleat.server.intake.Requests;
import io.cleat.state.AllocationRow;
import io.cleat.state.Change;
import io.cleat.state.ClaimId;
import io.cleat.state.ClaimRow;
import io.cleat.state.ClaimState;
import io.cleat.state.ClusterState;
import io.cleat.state.Encrypted;
import io.cleat.state.EvaluationRow;
import io.cleat.state.EvaluationStatus;
import io.cleat.state.JobRow;
import io.cleat.state.NodeProof;
import io.cleat.state.NodeRow;
import io.cleat.state.NodeStatus;
import io.cleat.state.PlacementMetric;
import io.cleat.state.PlannedCounts;
import io.cleat.state.Trigger;
import io.cleat.state.VolumeKey;
import io.cleat.state.VolumeProgress;
import io.cleat.state.VolumeRow;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The cluster that the recordings are of: one node, a plugin as a system job, a service that uses one volume. Built
 * from changes, as the log would.
 */
public final class SampleCluster {
    public static final Instant AT = Instant.parse("2026-11-21T03:36:08.239349499Z");
    public static final String NODE = "c4c061ed-039e-d829-5462-6ef84844221c";
    public static final String PLUGIN_ALLOC = "62fb7a08-7523-00ee-ae05-ec82f432cec9";
    public static final String WEB_ALLOC = "2849ded8-c520-74d0-6e49-2a300b1810ee";
    public static final String WEB_EVAL = "3edf3d51-a9a8-15bd-ec14-632c3b289daa";
    public static final VolumeId VOLUME = new VolumeId("default", "v1");
    public static final VolumeKey KEY = new VolumeKey("hp", "b3c17a9e");
    static final VolumeModes WRITER = new VolumeModes(AccessMode.SINGLE_NODE_WRITER, AttachmentMode.FILE_SYSTEM);
    public static final ClaimId CLAIM = new ClaimId(WEB_ALLOC, "data");

    private static final NodeNetwork NETWORK = new NodeNetwork(
            20_000,
            32_000,
            List.of(),
            List.of(address("192.0.2.2", 32), address("fd00::2", 128)),
            Map.of(),
            List.of("bridge"));

    private static NodeAddress address(String address, int prefix) {
        return new NodeAddress("default", address, prefix, "eth0", "02:fc:00:00:00:01", 1000, List.of());
    }

    public static final Membership ALONE = new LoneServer(
            new Membership.Member("b886835e-d48c-0848-1013-dccfdf36d2c7", "vm", "127.0.0.1", 4647, true),
            "global",
            "dc1",
            () -> new Membership.LogStanding(2, 40, true, SampleCluster.AT));

    /** Must never be seen. */
    public static final String SECRET = "s3cr3t-word";

    /** What is stored of the node's secret. */
    static final String DIGEST = HexFormat.of().formatHex(Sha256.of(SECRET));

    private final List<AppliedDecision<ClusterState, Change>> decisions = new ArrayList<>();
    private ClusterState state = ClusterState.empty();

    public static SampleCluster start() {
        SampleCluster sample = new SampleCluster();
        sample.apply(new Change.ClusterFormed("c-1"));
        return sample;
    }

    /** With everything of the recordings, the volume claimed. */
    public static SampleCluster whole() throws Refused {
        return start().node().plugin().volume().web().claimed();
    }

    public ClusterState state() {
        return state;
    }

    public SampleCluster apply(Change... changes) {
        ClusterState before = state;
        state = before.apply(List.of(changes), before.version() + 1, AT);
        decisions.add(new AppliedDecision<>(before, List.of(changes), state, before.version() + 1, 1));
        return this;
    }

    /** All of them, oldest first. */
    public List<AppliedDecision<ClusterState, Change>> decisions() {
        return decisions;
    }

    public AppliedDecision<ClusterState, Change> lastDecision() {
        return decisions.getLast();
    }

    /** To be read. */
    public ServerCluster cluster() {
        return cluster(new FixedImages(state), Intake.idle());
    }

    public static ServerCluster cluster(Images images, Requests requests) {
        return new ServerCluster(images, requests, ALONE, "2.0.6", new SystemTime(), Ids.random());
    }

    public SampleCluster node() {
        return apply(new Change.NodePut(nodeRow(NODE, List.of())));
    }

    public static NodeRow nodeRow(String id, List<PluginInstance> plugins) {
        return nodeRow(id, "vm", plugins);
    }

    public static NodeRow nodeRow(String id, String name, List<PluginInstance> plugins) {
        return new NodeRow(
                new NodeFacts(
                                id,
                                name,
                                "dc1",
                                "default",
                                "",
                                "127.0.0.1:4646",
                                Map.of("cpu.numcores", "2", "kernel.name", "linux", "nomad.version", "2.0.6"),
                                Map.of(),
                                Map.of(
                                        "exec",
                                        driver("exec"),
                                        "raw_exec",
                                        driver("raw_exec"),
                                        "mock_driver",
                                        driver("mock_driver")),
                                plugins,
                                new Resources(0, 24105, 0).on(List.of(0, 1), 4500),
                                258019,
                                "boot-1",
                                List.of())
                        .withNetwork(NETWORK),
                NodeStatus.READY,
                "",
                true,
                DIGEST,
                AT,
                List.of(
                        new NodeEvent("Cluster", "Node registered", Map.of(), AT),
                        new NodeEvent("Storage", "Mount volume", Map.of("volume_id", "v1", "success", "true"), AT)),
                null,
                NodeProof.NONE,
                0,
                0);
    }

    private static DriverFacts driver(String name) {
        return new DriverFacts(true, true, "Healthy", Map.of("driver." + name, "true"), AT);
    }

    public static PluginInstance instance(boolean healthy) {
        return new PluginInstance(
                "hp",
                PLUGIN_ALLOC,
                healthy,
                healthy ? "healthy" : "probe failed",
                "hostpath.csi.k8s.io",
                "v1.17.0",
                true,
                true,
                AT,
                new PluginInstance.Controller(
                        Set.of(
                                ControllerCapability.CREATE_DELETE_VOLUME,
                                ControllerCapability.CLONE_VOLUME,
                                ControllerCapability.VOLUME_CONDITION,
                                ControllerCapability.CREATE_DELETE_SNAPSHOT,
                                ControllerCapability.EXPAND_VOLUME,
                                ControllerCapability.GET_VOLUME,
                                ControllerCapability.GET_CAPACITY,
                                ControllerCapability.LIST_SNAPSHOTS,
                                ControllerCapability.LIST_VOLUMES),
                        false),
                new PluginInstance.Node(
                        "n1",
                        Long.MAX_VALUE,
                        new Topology(Map.of("topology.hostpath.csi/node", "n1")),
                        Set.of(
                                NodeCapability.STAGE_UNSTAGE_VOLUME,
                                NodeCapability.VOLUME_CONDITION,
                                NodeCapability.EXPAND_VOLUME,
                                NodeCapability.GET_VOLUME_STATS)));
    }

    /** The plugin's job, without anything that runs it. */
    public SampleCluster pluginJob() throws Refused {
        return apply(new Change.JobPut(jobRow(recordedJob("12-register-plugin-job"))));
    }

    public SampleCluster plugin() throws Refused {
        pluginJob();
        place("hostpath", "p", "plugin", PLUGIN_ALLOC, "619bfd32-c1f1-5930-31fb-84525178a9fc");
        return apply(new Change.NodeFactsChanged(
                nodeRow(NODE, List.of(instance(true))).facts()));
    }

    public SampleCluster web() throws Refused {
        apply(new Change.JobPut(jobRow(recordedJob("28-register-job"))));
        return place("web", "g", "t", WEB_ALLOC, WEB_EVAL);
    }

    public SampleCluster volume() {
        VolumeSpec spec = new VolumeSpec(
                VOLUME,
                "v1",
                KEY.externalId(),
                "hp",
                List.of(WRITER),
                new MountOptions("ext4", List.of("password=" + SECRET)),
                10485760,
                1073741824,
                Map.of(),
                Map.of(),
                TopologyRequest.NONE,
                "",
                "");
        apply(new Change.VolumePut(VolumeRow.of(
                spec,
                new Encrypted(SECRET),
                10485760,
                List.of(new Topology(Map.of("topology.hostpath.csi/node", "n1"))),
                AT)));
        return volumeEvent();
    }

    public SampleCluster volumeEvent() {
        return apply(new Change.VolumeEventsAdded(
                VOLUME, List.of(new VolumeEvent(AT, NODE, "NodeStageVolume", "OK", Duration.ofMillis(3), ""))));
    }

    SampleCluster claimed() {
        return apply(new Change.ClaimPut(claim(CLAIM, false, ClaimState.GRANTED, state.version() + 1, null)));
    }

    public static ClaimRow claim(ClaimId id, boolean readOnly, ClaimState in, long epoch, @Nullable BlockedBy wait) {
        return new ClaimRow(
                id,
                VOLUME,
                KEY,
                NODE,
                readOnly,
                WRITER,
                new MountOptions("ext4", List.of("password=" + SECRET)),
                "boot-1",
                epoch,
                in,
                AT,
                wait,
                0,
                0);
    }

    /** A second job wants the volume too, and waits. */
    public SampleCluster secondWriter() throws Refused {
        apply(new Change.JobPut(jobRow(recordedJob("59-second-writer-plan"))));
        JobRow job = state.job(new JobId("default", "web2")).orElseThrow();
        BlockedBy wait = new BlockedBy(
                "claim",
                "volume v1, held by allocation " + WEB_ALLOC + " of job web on node vm since " + AT,
                AT,
                null,
                "it is placed by itself once that claim is released");
        EvaluationRow failed = EvaluationRow.pending(
                        "aaaa0000-0000-0000-0000-000000000001", job, 50, Trigger.JOB_REGISTER, "", AT)
                .status(EvaluationStatus.COMPLETE, "", AT)
                .blockedEval("aaaa0000-0000-0000-0000-000000000002")
                .queued(Map.of("g", 1));
        EvaluationRow blocked = EvaluationRow.pending(
                        "aaaa0000-0000-0000-0000-000000000002", job, 50, Trigger.QUEUED_ALLOCS, "", AT)
                .status(EvaluationStatus.BLOCKED, "created to place remaining allocations", AT)
                .previousEval("aaaa0000-0000-0000-0000-000000000001")
                .blockedOn(List.of(VOLUME), false, wait);
        return apply(new Change.EvaluationPut(failed), new Change.EvaluationPut(blocked));
    }

    public static JobSpec recordedJob(String recording) throws Refused {
        Job job = Json.fromTree(Recording.of(recording).request().get("body").get("Job"), Job.class);
        return spec(job);
    }

    /** As the server takes it. */
    public static JobSpec spec(Job job) throws Refused {
        Job whole = Canonical.stored(job);
        List<String> faults = JobValidation.faults(whole);
        if (!faults.isEmpty()) {
            throw new Refused(new Refusal.Invalid(Faults.render(faults)));
        }
        return JobConversion.toSpec(whole);
    }

    public static JobRow jobRow(JobSpec spec) {
        return new JobRow(spec, 0, false, AT, 0, 0, 0);
    }

    private SampleCluster place(String jobId, String group, String task, String alloc, String eval) {
        JobRow job = state.job(new JobId("default", jobId)).orElseThrow();
        EvaluationRow evaluation = EvaluationRow.pending(eval, job, 50, Trigger.JOB_REGISTER, "", AT)
                .status(EvaluationStatus.COMPLETE, "", AT)
                .outcome(new EvaluationRow.Outcome(
                        Map.of(),
                        Map.of(group, 0),
                        Map.of(group, new PlannedCounts(1, 0, 0, 0, 0, 0, 0, 0)),
                        null,
                        state.version()));
        Map<String, Resources> resources = new TreeMap<>();
        job.spec().group(group).orElseThrow().tasks().forEach(each -> resources.put(each.name(), each.resources()));
        apply(
                new Change.EvaluationPut(evaluation),
                new Change.AllocationPut(allocation(job, group, alloc, eval, resources)));
        return apply(new Change.AllocationReported(
                alloc,
                ClientStatus.RUNNING,
                "Tasks are running",
                Map.of(task, taskState()),
                Map.of("data", new VolumeProgress(VOLUME, 1, VolumeProgress.Phase.PUBLISHED, 0, null)),
                null,
                null));
    }

    public static PlacementMetric metric() {
        return new PlacementMetric(
                1,
                0,
                0,
                1,
                "default",
                Map.of("dc1", 1),
                Map.of(),
                Map.of(),
                Map.of(),
                Map.of(),
                List.of(new PlacementMetric.Score(
                        NODE,
                        Map.of(
                                "binpack",
                                0.1,
                                "job-anti-affinity",
                                0.0,
                                "node-reschedule-penalty",
                                0.0,
                                "node-affinity",
                                0.0),
                        0.1)),
                List.of(),
                0);
    }

    public static AllocationRow allocation(
            JobRow job, String group, String id, String eval, Map<String, Resources> resources) {
        return new AllocationRow(
                new AllocationRow.Identity(id, job.id().id() + "." + group + "[0]", 0, job.id(), group),
                new AllocationRow.ByVersion(job.number(), job.jobModifyVersion(), List.of()),
                new AllocationRow.Placed(NODE, "vm", resources, 300, List.of(), metric()),
                AllocationRow.Wanted.TO_RUN,
                AllocationRow.Seen.NOTHING,
                new AllocationRow.Lineage("", "", eval, "", List.of()),
                null,
                AllocationRow.Stamps.at(AT));
    }

    private static TaskState taskState() {
        return new TaskState(
                TaskState.Phase.RUNNING,
                false,
                0,
                null,
                AT,
                null,
                List.of(
                        new TaskEvent("Received", AT, "Task received by client", Map.of()),
                        new TaskEvent(
                                "Task Setup",
                                AT,
                                "Building Task Directory",
                                Map.of("message", "Building Task Directory")),
                        new TaskEvent("Started", AT, "Task started by client", Map.of())));
    }

    /** A volume as its readers are told of it. */
    public static CsiVolume shown(ServerCluster cluster, String volume) throws Exception {
        Object answer =
                cluster.volumes().get(ReadQuery.now("default"), volume).body().orElseThrow();
        return Json.read(Json.text(answer), CsiVolume.class);
    }

    /** A volume like another, with an id of its own. */
    public static VolumeRow renamed(VolumeRow row, String id) {
        var spec = row.spec();
        return VolumeRow.of(
                new VolumeSpec(
                        new VolumeId("default", id),
                        id,
                        "ext-" + id,
                        spec.pluginId(),
                        spec.capabilities(),
                        spec.mountOptions(),
                        0,
                        0,
                        Map.of(),
                        Map.of(),
                        spec.topologies(),
                        "",
                        ""),
                row.secrets(),
                0,
                List.of(),
                AT);
    }
}
