package io.cleat.state;

import io.cleat.base.Effect;
import io.cleat.model.AllocAddress;
import io.cleat.model.AllocHealth;
import io.cleat.model.ClientStatus;
import io.cleat.model.CsiPluginSpec;
import io.cleat.model.DesiredStatus;
import io.cleat.model.HostVolume;
import io.cleat.model.JobId;
import io.cleat.model.JobSource;
import io.cleat.model.JobSpec;
import io.cleat.model.ListedSnapshot;
import io.cleat.model.MachinePrint;
import io.cleat.model.MountOptions;
import io.cleat.model.NodeEvent;
import io.cleat.model.Ownership;
import io.cleat.model.PluginType;
import io.cleat.model.Resources;
import io.cleat.model.Task;
import io.cleat.model.TaskArtifact;
import io.cleat.model.TaskGroup;
import io.cleat.model.TaskLifecycle;
import io.cleat.model.TaskTemplate;
import io.cleat.model.VariableId;
import io.cleat.model.VolumeEvent;
import io.cleat.model.VolumeId;
import io.cleat.model.VolumeSpec;
import io.cleat.testkit.FullJob;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Changes of every kind and with every component, by the version of the stored format that brought them. */
final class SampleChanges {
    /** The changes that each version brought kinds, components or words with, from version 1. */
    private static final List<List<Change>> OF_EACH = List.of(
            version1(),
            version2(),
            version3(),
            version4(),
            version5(),
            version6(),
            version7(),
            version8(),
            version9(),
            version10(),
            version11(),
            version12(),
            version13(),
            version14(),
            version15(),
            version16(),
            version17(),
            version18(),
            version19(),
            version20());

    private SampleChanges() {}

    /** How many versions there are; they are counted from 1. */
    static int versions() {
        return OF_EACH.size();
    }

    /** Those that a version brought. */
    static List<Change> of(int version) {
        return OF_EACH.get(version - 1);
    }

    /** Those of all versions up to this one. */
    static List<Change> upTo(int version) {
        return OF_EACH.subList(0, version).stream().flatMap(List::stream).toList();
    }

    /** Those of all versions. */
    static List<Change> all() {
        return upTo(versions());
    }

    /** Every kind of change, every kind of call and of outcome. */
    private static List<Change> version1() {
        VolumeSpec spec = Samples.spec(Samples.VOLUME, Samples.KEY);
        return List.of(
                new Change.ClusterFormed("c1"),
                new Change.NodePut(Samples.node("n1", "local")),
                new Change.NodePut(Samples.node("n2", "local")),
                new Change.NodePut(Samples.node("n3")),
                new Change.NodeFactsChanged(Samples.node("n1", "local", "other").facts()),
                new Change.NodeStatusChanged("n2", NodeStatus.DOWN, "not heard"),
                new Change.NodeEventsAdded(
                        "n1", List.of(new NodeEvent("Storage", "Mount volume", Map.of(), Samples.AT))),
                new Change.NodeRemoved("n3"),
                new Change.NodeBuried("n2"),
                new Change.NodeTombstoneRemoved("n4"),
                new Change.JobPut(Samples.job(Samples.JOB, null)),
                new Change.JobPut(Samples.job(new JobId("default", "plugin"), "local")),
                new Change.JobPut(Samples.job(new JobId("other", "gone"), null)),
                new Change.JobStopped(new JobId("default", "plugin")),
                new Change.JobRemoved(new JobId("other", "gone")),
                new Change.EvaluationPut(Samples.evaluation("e1", Samples.JOB)),
                new Change.EvaluationPut(Samples.evaluation("e2", Samples.JOB)),
                new Change.EvaluationRemoved("e2"),
                new Change.AllocationPut(Samples.allocation("a1", Samples.JOB, 1, "n1")),
                new Change.AllocationPut(Samples.allocation("a2", Samples.JOB, 1, "n1")),
                Samples.report("a1", ClientStatus.RUNNING),
                new Change.AllocationRemoved("a2"),
                new Change.VolumePut(Samples.volume(Samples.VOLUME, Samples.KEY)),
                new Change.VolumePut(Samples.volume(new VolumeId("default", "b"), new VolumeKey("local", "b"))),
                new Change.VolumePut(Samples.volume(new VolumeId("default", "c"), new VolumeKey("local", "c"))),
                new Change.VolumeEventsAdded(
                        Samples.VOLUME,
                        List.of(new VolumeEvent(Samples.AT, "n1", "NodeStageVolume", "OK", Duration.ofMillis(3), "m"))),
                new Change.VolumeRemoved(new VolumeId("default", "b")),
                new Change.VolumeBuried(new VolumeId("default", "c")),
                new Change.VolumeTombstoneRemoved(new VolumeKey("local", "d")),
                new Change.ClaimPut(Samples.claim("a1", Samples.VOLUME, Samples.KEY, ClaimState.GRANTED)),
                new Change.ClaimPut(Samples.claim("a2", Samples.VOLUME, Samples.KEY, ClaimState.WAITING)),
                new Change.ClaimPut(Samples.claim("a3", Samples.VOLUME, Samples.KEY, ClaimState.RELEASING)),
                new Change.ClaimRemoved(new ClaimId("a3", "vol")),
                new Change.AttachmentPut(Samples.attachment(Samples.ATTACHMENT)),
                new Change.AttachmentPut(Samples.attachment(new AttachmentId(Samples.KEY, "n9"))),
                new Change.AttachmentRemoved(new AttachmentId(Samples.KEY, "n9")),
                new Change.OperationPut(Samples.operation(
                        "o1",
                        new OperationCall.Create(spec, new Encrypted("eA==")),
                        new OperationOutcome.Created("x", 1, Map.of("c", "v"), List.of(Samples.PLACE)))),
                new Change.OperationPut(Samples.operation(
                        "o2", new OperationCall.Validate(spec, Encrypted.NONE), new OperationOutcome.Confirmed())),
                new Change.OperationPut(Samples.operation(
                        "o3",
                        new OperationCall.Delete(Samples.VOLUME, "ext-1", Encrypted.NONE),
                        new OperationOutcome.Deleted())),
                new Change.OperationPut(Samples.operation(
                        "o4",
                        new OperationCall.Publish(
                                Samples.VOLUME,
                                Samples.ATTACHMENT,
                                "ext-node",
                                Samples.MODES,
                                MountOptions.NONE,
                                false,
                                Map.of("c", "v")),
                        new OperationOutcome.Published(new Encrypted("eA==")))),
                new Change.OperationPut(Samples.operation(
                        "o5",
                        new OperationCall.Unpublish(Samples.VOLUME, Samples.ATTACHMENT, "ext-node"),
                        new OperationOutcome.Unpublished())),
                new Change.OperationPut(Samples.operation(
                        "o6",
                        new OperationCall.Expand(spec, new Encrypted("eA=="), Samples.MODES),
                        new OperationOutcome.Expanded(1 << 27, true))),
                new Change.OperationPut(Samples.operation(
                        "o10",
                        new OperationCall.CreateSnapshot(
                                Samples.VOLUME, "ext-1", "s", Map.of("k", "v"), Encrypted.NONE),
                        new OperationOutcome.SnapshotCreated(
                                new ListedSnapshot("snap", "ext-1", 64, Samples.AT, true)))),
                new Change.OperationPut(Samples.operation(
                        "o11",
                        new OperationCall.DeleteSnapshot("snap", Encrypted.NONE),
                        new OperationOutcome.SnapshotDeleted())),
                new Change.OperationPut(Samples.operation(
                        "o7",
                        new OperationCall.Delete(Samples.VOLUME, "ext-1", Encrypted.NONE),
                        new OperationOutcome.Failed(Effect.NONE, "Internal", "words"))),
                new Change.OperationPut(Samples.operation(
                        "o8",
                        new OperationCall.Delete(Samples.VOLUME, "ext-1", Encrypted.NONE),
                        new OperationOutcome.Abandoned("me"))),
                new Change.OperationPut(Samples.operation(
                        "o9", new OperationCall.Delete(Samples.VOLUME, "ext-1", Encrypted.NONE), null)),
                new Change.OperationRemoved("o9"),
                new Change.RequestKept(new RequestRow("r1", "d1", "{}", Samples.AT, 0, 0)),
                new Change.RequestKept(new RequestRow("r2", "d2", "{}", Samples.AT, 0, 0)),
                new Change.RequestExpired("r2"));
    }

    /** The kinds and components that version 2 brought. */
    private static List<Change> version2() {
        return List.of(
                new Change.DeploymentPut(Samples.deployment("d1", Samples.JOB)),
                new Change.DeploymentPut(Samples.deployment("d2", Samples.JOB)),
                new Change.DeploymentRemoved("d2"),
                new Change.JobMarkedStable(new JobVersionId(Samples.JOB, 1), true),
                new Change.JobPut(
                        withHook(Samples.job(new JobId("default", "hook"), null)),
                        new JobSource("job \"hook\" {}", "hcl2", Map.of("count", "3"), "n = 1")),
                new Change.EvaluationPut(Samples.evaluation("e3", Samples.JOB).deploymentId("d1")),
                new Change.AllocationPut(Samples.allocation("a3", Samples.JOB, 1, "n1")
                        .deployment(new InDeployment("d1", true))
                        .health(new AllocHealth("d1", true, Samples.AT))));
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

    /** The kinds that version 3 brought. */
    private static List<Change> version3() {
        List<Change> all = new ArrayList<>();
        all.add(new Change.EvaluationPut(Samples.evaluation("e3", Samples.JOB)));
        all.add(new Change.EvaluationsMoved(List.of("e3"), EvaluationStatus.CANCELED, "not wanted any more"));
        for (Remainder what : Samples.everyRemainder()) {
            all.add(new Change.RemainderPut(new RemainderRow(what, 7, 0, 0)));
        }
        all.add(new Change.RemainderRemoved(new Remainder.WakeAll().id()));
        return List.copyOf(all);
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
        JobRow job = Samples.job(new JobId("default", "templates"), null);
        Task task = job.spec().groups().getFirst().tasks().getFirst();
        return List.of(new Change.JobPut(
                withTasks(job, List.of(task.edit().templates(List.of(whole)).done()))));
    }

    /** The kinds, and the components, that version 4 brought. */
    private static List<Change> version4() {
        return List.of(
                new Change.NodePut(quarantined("n5")),
                new Change.OtherPastPut(Samples.otherPast("n1", 812)),
                new Change.RecoveryEnded("somebody"),
                new Change.OtherPastPut(Samples.otherPast("n7", 813)),
                new Change.HoldingPut(Samples.holding("n1", "a7", Samples.KEY)),
                new Change.HoldingPut(Samples.holding("n1", "a8", Samples.KEY)),
                new Change.HoldingRemoved(
                        Samples.holding("n1", "a8", Samples.KEY).id()));
    }

    /** With what version 4 brought. */
    private static NodeRow quarantined(String id) {
        return Samples.node(id, "local")
                .withProof(new NodeProof(
                        List.of("boot-0"),
                        new Quarantine(
                                "another disk",
                                "boot-2",
                                new MachinePrint(Map.of(MachinePrint.DISK, "d15c")),
                                Samples.AT)));
    }

    /** The components that version 5 brought. */
    private static List<Change> version5() {
        OperationCall call = new OperationCall.DeleteSnapshot("s1", new Encrypted("c2VjcmV0"));
        return List.of(
                overlappingPlugin(),
                new Change.OperationPut(Samples.operation("o50", call, null)
                        .withPast(new OperationPast(Samples.AT.minusSeconds(60), 2, true, true))),
                new Change.OperationPut(
                        Samples.operation("o51", call, null).withPast(new OperationPast(null, 0, false, true))));
    }

    private static Change overlappingPlugin() {
        JobRow job = Samples.job(new JobId("default", "overlapping"), null);
        Task task = job.spec().groups().getFirst().tasks().getFirst();
        CsiPluginSpec plugin =
                new CsiPluginSpec("p", PluginType.NODE, "/csi", "/local/csi", Duration.ofSeconds(30), null, true);
        return new Change.JobPut(
                withTasks(job, List.of(task.edit().csiPlugin(plugin).done())));
    }

    /** The components that version 6 brought. */
    private static List<Change> version6() {
        VolumeKey key = new VolumeKey("p", "grown");
        return List.of(new Change.VolumePut(Samples.volume(new VolumeId("default", "grown"), key)
                .grown(1 << 22, false, Samples.AT)
                .compared()));
    }

    /** The kinds that version 7 brought. */
    private static List<Change> version7() {
        return List.of(
                new Change.NamespacePut(Samples.namespace("team")),
                new Change.NamespacePut(NamespaceRow.plain("gone")),
                new Change.NamespaceRemoved("gone"));
    }

    /** The components that version 8 brought. */
    private static List<Change> version8() {
        return List.of(
                new Change.RemainderPut(new RemainderRow(new Remainder.MachineReplaced("n1"), 7, 0, 0)),
                new Change.EvaluationPut(Plain.with(
                        Samples.evaluation("e80", Samples.JOB),
                        "planned",
                        Map.of("g", new PlannedCounts(1, 2, 3, 4, 5, 6, 7, 8)))));
    }

    /** The kind that version 9 brought. */
    private static List<Change> version9() {
        return List.of(new Change.SchedulingPut(Samples.scheduling(SchedulingRow.Algorithm.SPREAD)));
    }

    /** The component that version 10 brought. */
    private static List<Change> version10() {
        VolumeKey key = new VolumeKey("p", "owned");
        VolumeSpec owned = Samples.spec(
                new VolumeId("default", "owned"),
                key,
                new MountOptions("ext4", List.of(), false, new Ownership(999L, null, 0750)));
        return List.of(new Change.VolumePut(
                VolumeRow.of(owned, new Encrypted("c2VjcmV0"), 1 << 21, List.of(Samples.PLACE), Samples.AT)));
    }

    /** The kinds, the components and the word that version 11 brought. */
    private static List<Change> version11() {
        JobSpec periodic = FullJob.periodic();
        JobSpec copy = FullJob.child();
        JobRow run = new JobRow(copy, 0, false, Samples.AT, 0, 0, 0);
        return List.of(
                new Change.JobPut(new JobRow(periodic, 0, false, Samples.AT, 0, 0, 0)),
                new Change.JobLaunched(periodic.id(), Samples.AT),
                new Change.JobPut(new JobRow(FullJob.parameterized(), 0, false, Samples.AT, 0, 0, 0)),
                new Change.JobPut(run),
                new Change.EvaluationPut(EvaluationRow.pending("e110", run, 60, Trigger.PERIODIC_JOB, "", Samples.AT)));
    }

    /** The kinds that version 12 brought. */
    private static List<Change> version12() {
        VariableId gone = new VariableId("default", "gone");
        return List.of(
                new Change.VariablePut(Samples.variable(new VariableId("default", "nomad/jobs/web"))),
                new Change.VariablePut(
                        Samples.variable(new VariableId("team", "lock")).withLock(Samples.lock(), Samples.AT)),
                new Change.VariablePut(Samples.variable(gone)),
                new Change.VariableRemoved(gone));
    }

    /** The kinds, the components and the word that version 13 brought. */
    private static List<Change> version13() {
        HostVolumeRow volume = Samples.hostVolume("n1", "hv1");
        NodeRow node = Samples.node("n13", "local");
        return List.of(
                new Change.NodePut(node.withFacts(
                        node.facts().withHostVolumes(Map.of("disk", new HostVolume("", "/srv/disk", true))))),
                new Change.JobPut(new JobRow(FullJob.onHost(), 3, false, Samples.AT, 0, 0, 0)),
                new Change.HostVolumePut(
                        volume.made("/srv/hv1", 1 << 30, Samples.AT).deleting(true, Samples.AT)),
                new Change.HostVolumePut(Samples.hostVolume("n1", "hv2")),
                new Change.HostVolumeRemoved(Samples.hostVolume("n1", "hv2").id()));
    }

    /** The kinds and the component that version 14 brought. */
    private static List<Change> version14() {
        HostVolumeRow volume = Samples.hostVolume("n1", "hv3");
        JobId job = FullJob.onHost().id();
        return List.of(
                new Change.HostVolumePut(volume.ordered(Samples.order(), Samples.AT)),
                new Change.StickyClaimPut(Samples.stickyClaim("s1", job, volume.id())),
                new Change.StickyClaimPut(Samples.stickyClaim("s2", job, volume.id())),
                new Change.StickyClaimRemoved("s2"));
    }

    /** The components that version 15 brought. */
    private static List<Change> version15() {
        NodeRow node = Samples.node("n15", "local");
        return List.of(
                new Change.NodePut(node.withFacts(node.facts().withNetwork(FullJob.NETWORK))),
                new Change.JobPut(new JobRow(FullJob.networked(), 4, false, Samples.AT, 0, 0, 0)),
                new Change.AllocationPut(Samples.allocation("a15", Samples.JOB, 2, "n15", List.of(FullJob.PORT))));
    }

    /** The components that version 16 brought. */
    private static List<Change> version16() {
        JobRow job = new JobRow(FullJob.serving(), 4, false, Samples.AT, 0, 0, 0);
        return List.of(
                new Change.JobPut(job),
                new Change.AllocationPut(Samples.allocation("a16", Samples.JOB, 1, "n1")
                        .withdrawn(List.of("_nomad-task-a16-group-front-web-8080"))));
    }

    /** The kinds, the components and the word that version 17 brought. */
    private static List<Change> version17() {
        JobRow job = new JobRow(FullJob.scaled(), 0, false, Samples.AT, 0, 0, 0);
        JobRow each = new JobRow(FullJob.onceOnEachNode(), 0, false, Samples.AT, 0, 0, 0);
        AllocationRow placed = Samples.allocation("a17", job.id(), 1, "n1");
        return List.of(
                new Change.JobPut(job),
                new Change.JobPut(each),
                new Change.JobTagged(new JobVersionId(job.id(), 1), Samples.TAG),
                new Change.ScaleEventAdded(
                        new ScaleEventsId(
                                job.id(), job.spec().groups().getFirst().name()),
                        Samples.scaleEvent(4)),
                new Change.AllocationPut(Plain.with(
                        placed, "resources", Map.of("server", new Resources(0, 64, 128).on(List.of(0, 2), 8000)))));
    }

    /** The components that version 18 brought. */
    private static List<Change> version18() {
        return List.of(
                new Change.AllocationPut(Samples.allocation("a18", Samples.JOB, 1, "n1")
                        .desired(DesiredStatus.STOP, "alloc is being migrated")
                        .migrating()),
                Plain.with(Samples.report("a18", ClientStatus.RUNNING), "address", Samples.ADDRESS));
    }

    /** The component that version 19 brought. */
    private static List<Change> version19() {
        return List.of(Plain.with(
                Samples.report("a18", ClientStatus.RUNNING),
                "address",
                new AllocAddress(
                        Samples.ADDRESS.interfaceName(),
                        Samples.ADDRESS.address(),
                        Samples.ADDRESS.addressIpv6(),
                        FullJob.DNS)));
    }

    /** The component and the word that version 20 brought. */
    private static List<Change> version20() {
        Change.AllocationReported report = Samples.report("a18", ClientStatus.RUNNING);
        return List.of(
                new Change.JobPut(new JobRow(FullJob.atDrivers(), 4, false, Samples.AT, 0, 0, 0)),
                Plain.with(
                        report,
                        "tasks",
                        Map.of(
                                "main",
                                Objects.requireNonNull(report.tasks().get("main"))
                                        .at(FullJob.DRIVER_NETWORK))));
    }
}
