package io.cleat.state;

import io.cleat.model.AccessMode;
import io.cleat.model.AttachmentMode;
import io.cleat.model.ClientStatus;
import io.cleat.model.ControllerCapability;
import io.cleat.model.JobId;
import io.cleat.model.JobSource;
import io.cleat.model.PluginInstance;
import io.cleat.model.VariableId;
import io.cleat.model.VolumeId;
import io.cleat.model.VolumeModes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/** Changes of a small cluster, drawn from few of each thing, so that they meet. */
final class RandomChanges {
    static final List<String> NODES = List.of("n1", "n2", "n3");
    static final List<String> PLUGINS = List.of("local", "nfs");
    static final List<JobId> JOBS = List.of(new JobId("default", "a"), new JobId("default", "b"), new JobId("x", "a"));
    static final List<VolumeId> VOLUMES = List.of(new VolumeId("default", "u"), new VolumeId("team", "v"));
    static final List<VolumeKey> KEYS = List.of(new VolumeKey("local", "1"), new VolumeKey("local", "2"));

    private final Random random;
    private final NaiveModel model;

    /** @param model what the changes before have made: some of a change is drawn from it */
    RandomChanges(Random random, NaiveModel model) {
        this.random = random;
        this.model = model;
    }

    /** Few jobs whose texts change often. */
    Change ofTexts() {
        JobId job = JOBS.get(random.nextInt(5) / 4);
        String id = "i" + random.nextInt(3);
        return switch (random.nextInt(14)) {
            case 12, 13 ->
                new Change.JobTagged(new JobVersionId(job, someText(job)), random.nextInt(3) > 0 ? Samples.TAG : null);
            case 0, 1, 2, 3, 4, 5 -> new Change.JobPut(Samples.job(job, null));
            case 6, 7 -> new Change.JobMarkedStable(new JobVersionId(job, someText(job)), random.nextInt(4) > 0);
            case 8, 9 -> new Change.AllocationPut(Samples.allocation(id, job, someText(job), "n1"));
            case 10 -> new Change.AllocationRemoved(id);
            default -> random.nextInt(6) == 0 ? new Change.JobRemoved(job) : new Change.AllocationRemoved(id);
        };
    }

    /** Of any kind. */
    Change ofAnything() {
        String node = pick(NODES);
        JobId job = pick(JOBS);
        VolumeId volume = pick(VOLUMES);
        VolumeKey key = pick(KEYS);
        String id = "i" + random.nextInt(4);
        return switch (random.nextInt(53)) {
            case 0, 1 -> new Change.NodePut(random.nextBoolean() ? withPlugins(node) : Samples.node(node));
            case 2 -> new Change.NodeFactsChanged(withPlugins(node).facts());
            case 3 -> new Change.NodeStatusChanged(node, NodeStatus.DOWN, "x");
            case 4 -> new Change.NodeTombstoneRemoved(node);
            case 5 -> random.nextBoolean() ? new Change.NodeRemoved(node) : new Change.NodeBuried(node);
            case 6, 7 ->
                new Change.JobPut(
                        Samples.job(job, random.nextBoolean() ? pick(PLUGINS) : null),
                        random.nextBoolean() ? new JobSource("text", "hcl2", Map.of(), "") : null);
            case 8 -> new Change.JobStopped(job);
            case 9 -> new Change.JobRemoved(job);
            case 10 -> new Change.EvaluationPut(Samples.evaluation(id, job));
            case 11 -> new Change.EvaluationRemoved(id);
            case 12, 13 -> new Change.AllocationPut(Samples.allocation(id, job, someText(job), node));
            case 14 -> Samples.report(id, random.nextBoolean() ? ClientStatus.RUNNING : ClientStatus.FAILED);
            case 15 -> new Change.AllocationRemoved(id);
            case 16, 17 -> new Change.VolumePut(Samples.volume(volume, key));
            case 18 -> random.nextBoolean() ? new Change.VolumeRemoved(volume) : new Change.VolumeBuried(volume);
            case 19 -> new Change.VolumeTombstoneRemoved(key);
            case 20, 21 ->
                new Change.ClaimPut(Plain.with(
                        Samples.claim(id, volume, key, pick(List.of(ClaimState.values()))),
                        "epoch",
                        1L + random.nextInt(1 << 30),
                        "modes",
                        new VolumeModes(pick(List.of(AccessMode.values())), AttachmentMode.FILE_SYSTEM)));
            case 22 -> new Change.ClaimRemoved(new ClaimId(id, "vol"));
            case 23 ->
                new Change.AttachmentPut(Plain.with(
                        Samples.attachment(new AttachmentId(key, node)),
                        "state",
                        pick(List.of(AttachmentState.values()))));
            case 24 -> new Change.AttachmentRemoved(new AttachmentId(key, node));
            case 25 ->
                new Change.OperationPut(Samples.operation(
                        id,
                        random.nextBoolean()
                                ? new OperationCall.Delete(volume, "e", Encrypted.NONE)
                                : new OperationCall.Unpublish(volume, Samples.ATTACHMENT, "n"),
                        null));
            case 26 -> new Change.DeploymentPut(Samples.deployment(id, job));
            case 27 -> new Change.DeploymentRemoved(id);
            case 28 -> new Change.JobMarkedStable(new JobVersionId(job, someText(job)), random.nextBoolean());
            case 29 ->
                new Change.EvaluationsMoved(
                        List.of(id, "i0"),
                        random.nextBoolean() ? EvaluationStatus.PENDING : EvaluationStatus.CANCELED,
                        "moved");
            case 30 -> new Change.RemainderPut(new RemainderRow(pick(Samples.everyRemainder()), 1, 0, 0));
            case 31 ->
                new Change.RemainderRemoved(pick(Samples.everyRemainder()).id());
            case 32 -> new Change.OtherPastPut(Samples.otherPast(node, random.nextInt(1000)));
            case 33 -> new Change.RecoveryEnded("somebody");
            case 34 -> new Change.HoldingPut(Samples.holding(node, id, key));
            case 35 -> new Change.HoldingRemoved(Samples.holding(node, id, key).id());
            case 36 -> new Change.NamespacePut(Samples.namespace(id));
            case 37 -> new Change.NamespaceRemoved(id);
            case 38 -> new Change.SchedulingPut(Samples.scheduling(pick(List.of(SchedulingRow.Algorithm.values()))));
            case 39, 40 ->
                new Change.VariablePut(Plain.with(
                        Samples.variable(new VariableId(job.namespace(), id)),
                        "lock",
                        random.nextBoolean() ? null : Samples.lock()));
            case 41 -> new Change.VariableRemoved(new VariableId(job.namespace(), id));
            case 42 -> new Change.HostVolumePut(Samples.hostVolume(node, id));
            case 43 -> new Change.HostVolumeRemoved(Samples.hostVolume(node, id).id());
            case 44, 45 ->
                new Change.StickyClaimPut(Samples.stickyClaim(
                        id, job, Samples.hostVolume(node, id).id()));
            case 46 -> new Change.StickyClaimRemoved(id);
            case 47 -> new Change.HostVolumePut(Samples.hostVolume(node, id).ordered(Samples.order(), Samples.AT));
            case 48 -> new Change.JobPut(Samples.keeping(job));
            case 49, 50 ->
                new Change.ScaleEventAdded(
                        new ScaleEventsId(job, random.nextInt(4) == 0 ? "none" : "g"),
                        Samples.scaleEvent(random.nextBoolean() ? null : 3));
            case 51 ->
                new Change.JobTagged(new JobVersionId(job, someText(job)), random.nextBoolean() ? Samples.TAG : null);
            default -> new Change.RequestKept(new RequestRow(id, "d", "{}", Samples.AT, 0, 0));
        };
    }

    /** With up to three instances, of which some are ill, and some serve but one half. */
    private NodeRow withPlugins(String node) {
        List<PluginInstance> instances = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            PluginInstance whole = Samples.instance(pick(PLUGINS), "p-" + node + i);
            PluginInstance.Controller controller = new PluginInstance.Controller(
                    Set.of(pick(List.of(ControllerCapability.values()))), random.nextBoolean());
            int half = random.nextInt(3);
            instances.add(new PluginInstance(
                    whole.pluginId(),
                    whole.allocId(),
                    random.nextBoolean(),
                    "said",
                    whole.provider(),
                    whole.version(),
                    random.nextBoolean(),
                    false,
                    whole.updatedAt(),
                    half == 1 ? null : controller,
                    half == 2 ? null : whole.node()));
        }
        NodeRow row = Samples.node(node, instances);
        NodeDrain drain = new NodeDrain(
                random.nextBoolean() ? NodeDrain.Status.DRAINING : NodeDrain.Status.COMPLETE,
                Duration.ofHours(1),
                false,
                Samples.AT,
                Samples.AT,
                null,
                Map.of());
        return random.nextBoolean() ? row.withDrain(drain, false) : row;
    }

    private long someText(JobId job) {
        List<Long> versions = model.texts.keySet().stream()
                .filter(text -> text.job().equals(job))
                .map(JobVersionId::storedVersion)
                .toList();
        return versions.isEmpty() ? 0 : pick(versions);
    }

    private <T> T pick(List<T> from) {
        return from.get(random.nextInt(from.size()));
    }
}
