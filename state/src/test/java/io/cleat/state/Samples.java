package io.cleat.state;

import io.cleat.base.Effect;
import io.cleat.model.AccessMode;
import io.cleat.model.AllocAddress;
import io.cleat.model.AllocHealth;
import io.cleat.model.AllocatedPort;
import io.cleat.model.AttachmentMode;
import io.cleat.model.BlockedBy;
import io.cleat.model.ClientStatus;
import io.cleat.model.Constraint;
import io.cleat.model.ControllerCapability;
import io.cleat.model.CsiPluginSpec;
import io.cleat.model.DesiredStatus;
import io.cleat.model.DriverFacts;
import io.cleat.model.EphemeralDisk;
import io.cleat.model.HostVolume;
import io.cleat.model.HostVolumeSpec;
import io.cleat.model.JobId;
import io.cleat.model.JobSource;
import io.cleat.model.JobSpec;
import io.cleat.model.JobTag;
import io.cleat.model.JobType;
import io.cleat.model.ListedSnapshot;
import io.cleat.model.MachinePrint;
import io.cleat.model.MigratePolicy;
import io.cleat.model.MountOptions;
import io.cleat.model.NodeCapability;
import io.cleat.model.NodeEvent;
import io.cleat.model.NodeFacts;
import io.cleat.model.Ownership;
import io.cleat.model.PluginInstance;
import io.cleat.model.PluginType;
import io.cleat.model.ReschedulePolicy;
import io.cleat.model.Resources;
import io.cleat.model.RestartPolicy;
import io.cleat.model.Task;
import io.cleat.model.TaskArtifact;
import io.cleat.model.TaskEvent;
import io.cleat.model.TaskGroup;
import io.cleat.model.TaskLifecycle;
import io.cleat.model.TaskState;
import io.cleat.model.TaskTemplate;
import io.cleat.model.Topology;
import io.cleat.model.TopologyRequest;
import io.cleat.model.UpdatePolicy;
import io.cleat.model.VariableId;
import io.cleat.model.VolumeEvent;
import io.cleat.model.VolumeId;
import io.cleat.model.VolumeModes;
import io.cleat.model.VolumeMount;
import io.cleat.model.VolumeRequest;
import io.cleat.model.VolumeSpec;
import io.cleat.testkit.FullJob;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Rows with every component filled in, and every kind of change: what the stored samples hold. */
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

    /** With what version 4 brought. */
    private static NodeRow quarantined(String id) {
        return node(id, "local")
                .withProof(new NodeProof(
                        List.of("boot-0"),
                        new Quarantine(
                                "another disk", "boot-2", new MachinePrint(Map.of(MachinePrint.DISK, "d15c")), AT)));
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

    private static AllocationRow allocation(
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

    /** The kinds and components that version 2 brought. */
    static List<Change> changesOfVersion2() {
        return List.of(
                new Change.DeploymentPut(deployment("d1", JOB)),
                new Change.DeploymentPut(deployment("d2", JOB)),
                new Change.DeploymentRemoved("d2"),
                new Change.JobMarkedStable(new JobVersionId(JOB, 1), true),
                new Change.JobPut(
                        withHook(job(new JobId("default", "hook"), null)),
                        new JobSource("job \"hook\" {}", "hcl2", Map.of("count", "3"), "n = 1")),
                new Change.EvaluationPut(evaluation("e3", JOB).deploymentId("d1")),
                new Change.AllocationPut(allocation("a3", JOB, 1, "n1")
                        .deployment(new InDeployment("d1", true))
                        .health(new AllocHealth("d1", true, AT))));
    }

    /** A template with all that it may have. */
    static List<Change> templates() {
        TaskTemplate whole = new TaskTemplate(
                "local/in.tpl",
                "local/app.conf",
                "",
                TaskTemplate.ChangeMode.SCRIPT,
                "",
                new TaskTemplate.ChangeScript("/bin/reload", List.of("-q"), Duration.ofSeconds(4), true),
                Duration.ofSeconds(5),
                "0600",
                1,
                2,
                "{{",
                "}}",
                false,
                true,
                true,
                new TaskTemplate.Wait(Duration.ofSeconds(1), Duration.ofSeconds(9)));
        JobRow job = job(new JobId("default", "templates"), null);
        Task task = job.spec().groups().getFirst().tasks().getFirst();
        return List.of(new Change.JobPut(
                withTasks(job, List.of(task.edit().templates(List.of(whole)).done()))));
    }

    private static Change overlappingPlugin() {
        JobRow job = job(new JobId("default", "overlapping"), null);
        Task task = job.spec().groups().getFirst().tasks().getFirst();
        CsiPluginSpec plugin =
                new CsiPluginSpec("p", PluginType.NODE, "/csi", "/local/csi", Duration.ofSeconds(30), null, true);
        return new Change.JobPut(
                withTasks(job, List.of(task.edit().csiPlugin(plugin).done())));
    }

    private static TaskTemplate template() {
        return new TaskTemplate(
                "",
                "local/app.conf",
                "{{ env \"E\" }}",
                TaskTemplate.ChangeMode.SIGNAL,
                "SIGHUP",
                null,
                Duration.ofSeconds(5),
                "0600",
                1,
                null,
                "{{",
                "}}",
                true,
                false,
                false,
                null);
    }

    private static JobRow withHook(JobRow job) {
        Task task = job.spec().groups().getFirst().tasks().getFirst();
        Task hook = task.edit()
                .name("hook")
                .csiPlugin(null)
                .lifecycle(new TaskLifecycle(TaskLifecycle.Hook.POSTSTART, true))
                .templates(List.of(template()))
                .artifacts(List.of(new TaskArtifact(
                        "https://example.com/a.zip",
                        Map.of("checksum", "md5:00"),
                        Map.of("A", "b"),
                        TaskArtifact.Mode.FILE,
                        "local/a",
                        true,
                        false)))
                .done();
        return withTasks(job, List.of(task, hook));
    }

    private static JobRow withTasks(JobRow job, List<Task> tasks) {
        JobSpec spec = job.spec();
        TaskGroup group = spec.groups().getFirst();
        TaskGroup more = new TaskGroup(
                group.name(),
                group.count(),
                group.meta(),
                group.constraints(),
                group.volumes(),
                group.restart(),
                group.reschedule(),
                group.migrate(),
                group.update(),
                group.disk(),
                group.shutdownDelay(),
                tasks);
        return new JobRow(
                new JobSpec(
                        spec.id(),
                        spec.name(),
                        spec.type(),
                        spec.region(),
                        spec.nodePool(),
                        spec.priority(),
                        spec.allAtOnce(),
                        spec.datacenters(),
                        spec.meta(),
                        spec.constraints(),
                        List.of(more)),
                job.number(),
                job.stop(),
                job.submittedAt(),
                0,
                0,
                0);
    }

    static List<Change> changesUpToVersion2() {
        List<Change> every = new ArrayList<>(changesOfVersion1());
        every.addAll(changesOfVersion2());
        return List.copyOf(every);
    }

    static List<Change> changesUpToVersion3() {
        List<Change> every = new ArrayList<>(changesUpToVersion2());
        every.addAll(changesOfVersion3());
        return List.copyOf(every);
    }

    static List<Change> changesUpToVersion4() {
        List<Change> every = new ArrayList<>(changesUpToVersion3());
        every.addAll(changesOfVersion4());
        return List.copyOf(every);
    }

    static List<Change> changesUpToVersion5() {
        List<Change> every = new ArrayList<>(changesUpToVersion4());
        every.addAll(changesOfVersion5());
        return List.copyOf(every);
    }

    static List<Change> changesUpToVersion6() {
        List<Change> every = new ArrayList<>(changesUpToVersion5());
        every.addAll(changesOfVersion6());
        return List.copyOf(every);
    }

    static List<Change> changesUpToVersion7() {
        List<Change> every = new ArrayList<>(changesUpToVersion6());
        every.addAll(changesOfVersion7());
        return List.copyOf(every);
    }

    static List<Change> changesUpToVersion8() {
        List<Change> every = new ArrayList<>(changesUpToVersion7());
        every.addAll(changesOfVersion8());
        return List.copyOf(every);
    }

    static List<Change> changesUpToVersion9() {
        List<Change> every = new ArrayList<>(changesUpToVersion8());
        every.addAll(changesOfVersion9());
        return List.copyOf(every);
    }

    static List<Change> changesUpToVersion10() {
        List<Change> every = new ArrayList<>(changesUpToVersion9());
        every.addAll(changesOfVersion10());
        return List.copyOf(every);
    }

    static List<Change> changesUpToVersion11() {
        List<Change> every = new ArrayList<>(changesUpToVersion10());
        every.addAll(changesOfVersion11());
        return List.copyOf(every);
    }

    static List<Change> changesUpToVersion12() {
        List<Change> every = new ArrayList<>(changesUpToVersion11());
        every.addAll(changesOfVersion12());
        return List.copyOf(every);
    }

    static List<Change> changesUpToVersion13() {
        List<Change> every = new ArrayList<>(changesUpToVersion12());
        every.addAll(changesOfVersion13());
        return List.copyOf(every);
    }

    static List<Change> changesUpToVersion14() {
        List<Change> every = new ArrayList<>(changesUpToVersion13());
        every.addAll(changesOfVersion14());
        return List.copyOf(every);
    }

    static List<Change> changesUpToVersion15() {
        List<Change> every = new ArrayList<>(changesUpToVersion14());
        every.addAll(changesOfVersion15());
        return List.copyOf(every);
    }

    static List<Change> changesUpToVersion16() {
        List<Change> every = new ArrayList<>(changesUpToVersion15());
        every.addAll(changesOfVersion16());
        return List.copyOf(every);
    }

    static List<Change> changesUpToVersion17() {
        List<Change> every = new ArrayList<>(changesUpToVersion16());
        every.addAll(changesOfVersion17());
        return List.copyOf(every);
    }

    static List<Change> changesUpToVersion18() {
        List<Change> every = new ArrayList<>(changesUpToVersion17());
        every.addAll(changesOfVersion18());
        return List.copyOf(every);
    }

    static List<Change> changesUpToVersion19() {
        List<Change> every = new ArrayList<>(changesUpToVersion18());
        every.addAll(changesOfVersion19());
        return List.copyOf(every);
    }

    static List<Change> everyChange() {
        List<Change> every = new ArrayList<>(changesUpToVersion19());
        every.addAll(changesOfVersion20());
        return List.copyOf(every);
    }

    static final AllocAddress ADDRESS = new AllocAddress("eth0", "172.26.64.2", "fd00::2");

    /** The components that version 18 brought. */
    static List<Change> changesOfVersion18() {
        return List.of(
                new Change.AllocationPut(allocation("a18", JOB, 1, "n1")
                        .desired(DesiredStatus.STOP, "alloc is being migrated")
                        .migrating()),
                Plain.with(report("a18", ClientStatus.RUNNING), "address", ADDRESS));
    }

    /** The component and the word that version 20 brought. */
    static List<Change> changesOfVersion20() {
        Change.AllocationReported report = report("a18", ClientStatus.RUNNING);
        return List.of(
                new Change.JobPut(new JobRow(FullJob.atDrivers(), 4, false, AT, 0, 0, 0)),
                Plain.with(
                        report,
                        "tasks",
                        Map.of(
                                "main",
                                Objects.requireNonNull(report.tasks().get("main"))
                                        .at(FullJob.DRIVER_NETWORK))));
    }

    /** The component that version 19 brought. */
    static List<Change> changesOfVersion19() {
        return List.of(Plain.with(
                report("a18", ClientStatus.RUNNING),
                "address",
                new AllocAddress(ADDRESS.interfaceName(), ADDRESS.address(), ADDRESS.addressIpv6(), FullJob.DNS)));
    }

    /** The components that version 16 brought. */
    static List<Change> changesOfVersion16() {
        JobRow job = new JobRow(FullJob.serving(), 4, false, AT, 0, 0, 0);
        return List.of(
                new Change.JobPut(job),
                new Change.AllocationPut(
                        allocation("a16", JOB, 1, "n1").withdrawn(List.of("_nomad-task-a16-group-front-web-8080"))));
    }

    /** The components that version 15 brought. */
    static List<Change> changesOfVersion15() {
        NodeRow node = node("n15", "local");
        return List.of(
                new Change.NodePut(node.withFacts(node.facts().withNetwork(FullJob.NETWORK))),
                new Change.JobPut(new JobRow(FullJob.networked(), 4, false, AT, 0, 0, 0)),
                new Change.AllocationPut(allocation("a15", JOB, 2, "n15", List.of(FullJob.PORT))));
    }

    /** The kinds and the component that version 14 brought. */
    static List<Change> changesOfVersion14() {
        HostVolumeRow volume = hostVolume("n1", "hv3");
        JobId job = FullJob.onHost().id();
        return List.of(
                new Change.HostVolumePut(volume.ordered(order(), AT)),
                new Change.StickyClaimPut(stickyClaim("s1", job, volume.id())),
                new Change.StickyClaimPut(stickyClaim("s2", job, volume.id())),
                new Change.StickyClaimRemoved("s2"));
    }

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

    /** The kinds, the components and the word that version 17 brought. */
    static List<Change> changesOfVersion17() {
        JobRow job = new JobRow(FullJob.scaled(), 0, false, AT, 0, 0, 0);
        JobRow each = new JobRow(FullJob.onceOnEachNode(), 0, false, AT, 0, 0, 0);
        AllocationRow placed = allocation("a17", job.id(), 1, "n1");
        return List.of(
                new Change.JobPut(job),
                new Change.JobPut(each),
                new Change.JobTagged(new JobVersionId(job.id(), 1), TAG),
                new Change.ScaleEventAdded(
                        new ScaleEventsId(
                                job.id(), job.spec().groups().getFirst().name()),
                        scaleEvent(4)),
                new Change.AllocationPut(Plain.with(
                        placed, "resources", Map.of("server", new Resources(0, 64, 128).on(List.of(0, 2), 8000)))));
    }

    static ScaleEvent scaleEvent(@Nullable Integer count) {
        return new ScaleEvent(AT, count, 2, true, "no room", Map.of("by", "autoscaler", "tries", 3L), "e14", 0);
    }

    /** The kinds, the components and the word that version 13 brought. */
    static List<Change> changesOfVersion13() {
        HostVolumeRow volume = hostVolume("n1", "hv1");
        NodeRow node = node("n13", "local");
        return List.of(
                new Change.NodePut(node.withFacts(
                        node.facts().withHostVolumes(Map.of("disk", new HostVolume("", "/srv/disk", true))))),
                new Change.JobPut(new JobRow(FullJob.onHost(), 3, false, AT, 0, 0, 0)),
                new Change.HostVolumePut(volume.made("/srv/hv1", 1 << 30, AT).deleting(true, AT)),
                new Change.HostVolumePut(hostVolume("n1", "hv2")),
                new Change.HostVolumeRemoved(hostVolume("n1", "hv2").id()));
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

    /** The kinds that version 12 brought. */
    static List<Change> changesOfVersion12() {
        VariableId gone = new VariableId("default", "gone");
        return List.of(
                new Change.VariablePut(variable(new VariableId("default", "nomad/jobs/web"))),
                new Change.VariablePut(variable(new VariableId("team", "lock")).withLock(lock(), AT)),
                new Change.VariablePut(variable(gone)),
                new Change.VariableRemoved(gone));
    }

    static VariableLock lock() {
        return VariableLock.taken("l1", Duration.ofSeconds(15), Duration.ofMinutes(1));
    }

    static VariableRow variable(VariableId id) {
        return VariableRow.of(id, new Encrypted("c2VjcmV0"), AT);
    }

    /** The kinds, the components and the word that version 11 brought. */
    static List<Change> changesOfVersion11() {
        JobSpec periodic = FullJob.periodic();
        JobSpec copy = FullJob.child();
        JobRow run = new JobRow(copy, 0, false, AT, 0, 0, 0);
        return List.of(
                new Change.JobPut(new JobRow(periodic, 0, false, AT, 0, 0, 0)),
                new Change.JobLaunched(periodic.id(), AT),
                new Change.JobPut(new JobRow(FullJob.parameterized(), 0, false, AT, 0, 0, 0)),
                new Change.JobPut(run),
                new Change.EvaluationPut(EvaluationRow.pending("e110", run, 60, Trigger.PERIODIC_JOB, "", AT)));
    }

    /** The component that version 10 brought. */
    static List<Change> changesOfVersion10() {
        VolumeKey key = new VolumeKey("p", "owned");
        VolumeSpec owned = spec(
                new VolumeId("default", "owned"),
                key,
                new MountOptions("ext4", List.of(), false, new Ownership(999L, null, 0750)));
        return List.of(
                new Change.VolumePut(VolumeRow.of(owned, new Encrypted("c2VjcmV0"), 1 << 21, List.of(PLACE), AT)));
    }

    /** The kind that version 9 brought. */
    static List<Change> changesOfVersion9() {
        return List.of(new Change.SchedulingPut(scheduling(SchedulingRow.Algorithm.SPREAD)));
    }

    static SchedulingRow scheduling(SchedulingRow.Algorithm algorithm) {
        return new SchedulingRow(algorithm, true, true, 0, 0);
    }

    /** The components that version 8 brought. */
    static List<Change> changesOfVersion8() {
        return List.of(
                new Change.RemainderPut(new RemainderRow(new Remainder.MachineReplaced("n1"), 7, 0, 0)),
                new Change.EvaluationPut(Plain.with(
                        evaluation("e80", JOB), "planned", Map.of("g", new PlannedCounts(1, 2, 3, 4, 5, 6, 7, 8)))));
    }

    /** The kinds that version 7 brought. */
    static List<Change> changesOfVersion7() {
        return List.of(
                new Change.NamespacePut(namespace("team")),
                new Change.NamespacePut(NamespaceRow.plain("gone")),
                new Change.NamespaceRemoved("gone"));
    }

    static NamespaceRow namespace(String name) {
        return new NamespaceRow(
                name, "of the team", Map.of("owner", "team"), List.of("exec", "raw_exec"), List.of("docker"), 0, 0);
    }

    /** The components that version 6 brought. */
    static List<Change> changesOfVersion6() {
        VolumeKey key = new VolumeKey("p", "grown");
        return List.of(new Change.VolumePut(volume(new VolumeId("default", "grown"), key)
                .grown(1 << 22, false, AT)
                .compared()));
    }

    /** The components that version 5 brought. */
    static List<Change> changesOfVersion5() {
        OperationCall call = new OperationCall.DeleteSnapshot("s1", new Encrypted("c2VjcmV0"));
        return List.of(
                overlappingPlugin(),
                new Change.OperationPut(
                        operation("o50", call, null).withPast(new OperationPast(AT.minusSeconds(60), 2, true, true))),
                new Change.OperationPut(
                        operation("o51", call, null).withPast(new OperationPast(null, 0, false, true))));
    }

    static OtherPastRow otherPast(String nodeId, long version) {
        return new OtherPastRow(nodeId, "one", version, "reign-x", 12, AT, true, 0, 0);
    }

    static HoldingRow holding(String nodeId, String allocId, VolumeKey key) {
        return new HoldingRow(new HoldingId(nodeId, key, allocId, "data"), AT, 0, 0);
    }

    /** The kinds, and the components, that version 4 brought. */
    static List<Change> changesOfVersion4() {
        return List.of(
                new Change.NodePut(quarantined("n5")),
                new Change.OtherPastPut(otherPast("n1", 812)),
                new Change.RecoveryEnded("somebody"),
                new Change.OtherPastPut(otherPast("n7", 813)),
                new Change.HoldingPut(holding("n1", "a7", KEY)),
                new Change.HoldingPut(holding("n1", "a8", KEY)),
                new Change.HoldingRemoved(holding("n1", "a8", KEY).id()));
    }

    /** The kinds that version 3 brought. */
    private static List<Change> changesOfVersion3() {
        List<Change> all = new ArrayList<>();
        all.add(new Change.EvaluationPut(evaluation("e3", JOB)));
        all.add(new Change.EvaluationsMoved(List.of("e3"), EvaluationStatus.CANCELED, "not wanted any more"));
        for (Remainder what : everyRemainder()) {
            all.add(new Change.RemainderPut(new RemainderRow(what, 7, 0, 0)));
        }
        all.add(new Change.RemainderRemoved(new Remainder.WakeAll().id()));
        return List.copyOf(all);
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

    private static VolumeSpec spec(VolumeId id, VolumeKey key, MountOptions options) {
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

    /** Every kind of change, every kind of call and of outcome. */
    static List<Change> changesOfVersion1() {
        VolumeSpec spec = spec(VOLUME, KEY);
        return List.of(
                new Change.ClusterFormed("c1"),
                new Change.NodePut(node("n1", "local")),
                new Change.NodePut(node("n2", "local")),
                new Change.NodePut(node("n3")),
                new Change.NodeFactsChanged(node("n1", "local", "other").facts()),
                new Change.NodeStatusChanged("n2", NodeStatus.DOWN, "not heard"),
                new Change.NodeEventsAdded("n1", List.of(new NodeEvent("Storage", "Mount volume", Map.of(), AT))),
                new Change.NodeRemoved("n3"),
                new Change.NodeBuried("n2"),
                new Change.NodeTombstoneRemoved("n4"),
                new Change.JobPut(job(JOB, null)),
                new Change.JobPut(job(new JobId("default", "plugin"), "local")),
                new Change.JobPut(job(new JobId("other", "gone"), null)),
                new Change.JobStopped(new JobId("default", "plugin")),
                new Change.JobRemoved(new JobId("other", "gone")),
                new Change.EvaluationPut(evaluation("e1", JOB)),
                new Change.EvaluationPut(evaluation("e2", JOB)),
                new Change.EvaluationRemoved("e2"),
                new Change.AllocationPut(allocation("a1", JOB, 1, "n1")),
                new Change.AllocationPut(allocation("a2", JOB, 1, "n1")),
                report("a1", ClientStatus.RUNNING),
                new Change.AllocationRemoved("a2"),
                new Change.VolumePut(volume(VOLUME, KEY)),
                new Change.VolumePut(volume(new VolumeId("default", "b"), new VolumeKey("local", "b"))),
                new Change.VolumePut(volume(new VolumeId("default", "c"), new VolumeKey("local", "c"))),
                new Change.VolumeEventsAdded(
                        VOLUME, List.of(new VolumeEvent(AT, "n1", "NodeStageVolume", "OK", Duration.ofMillis(3), "m"))),
                new Change.VolumeRemoved(new VolumeId("default", "b")),
                new Change.VolumeBuried(new VolumeId("default", "c")),
                new Change.VolumeTombstoneRemoved(new VolumeKey("local", "d")),
                new Change.ClaimPut(claim("a1", VOLUME, KEY, ClaimState.GRANTED)),
                new Change.ClaimPut(claim("a2", VOLUME, KEY, ClaimState.WAITING)),
                new Change.ClaimPut(claim("a3", VOLUME, KEY, ClaimState.RELEASING)),
                new Change.ClaimRemoved(new ClaimId("a3", "vol")),
                new Change.AttachmentPut(attachment(ATTACHMENT)),
                new Change.AttachmentPut(attachment(new AttachmentId(KEY, "n9"))),
                new Change.AttachmentRemoved(new AttachmentId(KEY, "n9")),
                new Change.OperationPut(operation(
                        "o1",
                        new OperationCall.Create(spec, new Encrypted("eA==")),
                        new OperationOutcome.Created("x", 1, Map.of("c", "v"), List.of(PLACE)))),
                new Change.OperationPut(operation(
                        "o2", new OperationCall.Validate(spec, Encrypted.NONE), new OperationOutcome.Confirmed())),
                new Change.OperationPut(operation(
                        "o3",
                        new OperationCall.Delete(VOLUME, "ext-1", Encrypted.NONE),
                        new OperationOutcome.Deleted())),
                new Change.OperationPut(operation(
                        "o4",
                        new OperationCall.Publish(
                                VOLUME, ATTACHMENT, "ext-node", MODES, MountOptions.NONE, false, Map.of("c", "v")),
                        new OperationOutcome.Published(new Encrypted("eA==")))),
                new Change.OperationPut(operation(
                        "o5",
                        new OperationCall.Unpublish(VOLUME, ATTACHMENT, "ext-node"),
                        new OperationOutcome.Unpublished())),
                new Change.OperationPut(operation(
                        "o6",
                        new OperationCall.Expand(spec, new Encrypted("eA=="), MODES),
                        new OperationOutcome.Expanded(1 << 27, true))),
                new Change.OperationPut(operation(
                        "o10",
                        new OperationCall.CreateSnapshot(VOLUME, "ext-1", "s", Map.of("k", "v"), Encrypted.NONE),
                        new OperationOutcome.SnapshotCreated(new ListedSnapshot("snap", "ext-1", 64, AT, true)))),
                new Change.OperationPut(operation(
                        "o11",
                        new OperationCall.DeleteSnapshot("snap", Encrypted.NONE),
                        new OperationOutcome.SnapshotDeleted())),
                new Change.OperationPut(operation(
                        "o7",
                        new OperationCall.Delete(VOLUME, "ext-1", Encrypted.NONE),
                        new OperationOutcome.Failed(Effect.NONE, "Internal", "words"))),
                new Change.OperationPut(operation(
                        "o8",
                        new OperationCall.Delete(VOLUME, "ext-1", Encrypted.NONE),
                        new OperationOutcome.Abandoned("me"))),
                new Change.OperationPut(
                        operation("o9", new OperationCall.Delete(VOLUME, "ext-1", Encrypted.NONE), null)),
                new Change.OperationRemoved("o9"),
                new Change.RequestKept(new RequestRow("r1", "d1", "{}", AT, 0, 0)),
                new Change.RequestKept(new RequestRow("r2", "d2", "{}", AT, 0, 0)),
                new Change.RequestExpired("r2"));
    }
}
