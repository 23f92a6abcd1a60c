package io.cleat.api;

import io.cleat.model.AccessMode;
import io.cleat.model.AttachmentMode;
import io.cleat.model.NameRule;
import io.cleat.model.WireNamed;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Rules of a group and its volumes. */
final class GroupRules {
    private static final Set<String> SINGLE_WRITERS = Set.of("single-node-writer", "multi-node-single-writer");

    private GroupRules() {}

    static Faults faults(Job job, TaskGroup group) {
        Faults faults = new Faults();
        GroupBlocks.GROUP.check(group, faults);
        if (group.EphemeralDisk() != null) {
            GroupBlocks.EPHEMERAL_DISK.check(group.EphemeralDisk(), faults);
        }
        Long longest = group.MaxRunDuration();
        faults.addIf(longest != null && longest <= 0, "max_run_duration must be a positive value");
        faults.addIf(
                longest != null && !PolicyDefaults.isBatch(Canonical.or(job.Type(), "")),
                "max_run_duration is for batch jobs: what runs by itself again would have no end");
        NetworkRules.check(group, faults);
        ConstraintRules.check(group.Constraints(), faults);
        PreferenceRules.check(job, group.Affinities(), group.Spreads(), faults);
        PreferenceRules.ofTasks(job, group.Tasks(), faults);
        PolicyRules.check(job, group, faults);
        ScalingRules.check(job, group, faults);
        Map<String, VolumeRequest> volumes = group.Volumes() == null ? Map.of() : new TreeMap<>(group.Volumes());
        for (String alias : volumes.keySet()) {
            NameRule.idFault("name of a volume in the group", alias).ifPresent(faults::add);
        }
        volumes.forEach((alias, volume) ->
                faults.nest("Task group volume validation for " + alias + " failed", volume(job, group, volume)));
        oneUse(volumes, faults);
        tasks(group, volumes, faults);
        ServiceRules.check(group, faults);
        return faults;
    }

    private static void tasks(TaskGroup group, Map<String, VolumeRequest> volumes, Faults faults) {
        List<Task> tasks = group.Tasks();
        if (tasks == null || tasks.isEmpty()) {
            faults.add("Missing tasks for task group");
            return;
        }
        Set<String> names = new HashSet<>();
        int leaders = 0;
        int mains = 0;
        for (int i = 0; i < tasks.size(); i++) {
            Task task = tasks.get(i);
            if (task.Name().isEmpty()) {
                faults.add("Task " + (i + 1) + " missing name");
            } else if (!names.add(task.Name())) {
                faults.add("Task " + (i + 1) + " redefines '" + task.Name() + "'");
            }
            leaders += task.Leader() ? 1 : 0;
            mains += task.Lifecycle() == null ? 1 : 0;
        }
        faults.addIf(leaders > 1, "Only one task may be marked as leader");
        faults.addIf(mains == 0, "Task group must have at least one main task: one without a lifecycle block");
        for (Task task : tasks) {
            faults.nest(
                    "Task " + task.Name() + " validation failed",
                    TaskRules.faults(task, volumes, group.EphemeralDisk()));
        }
    }

    /**
     * Canaries run beside the allocations that they are to replace, with the same volumes; those of a system job run in
     * their place.
     */
    private static void beside(Job job, TaskGroup group, VolumeRequest volume, Faults faults) {
        if (!hasCanaries(group) || JobValidation.isOnEachNode(job)) {
            return;
        }
        boolean isAlone = SINGLE_WRITERS.contains(volume.AccessMode()) && !volume.ReadOnly();
        faults.addIf(
                isAlone && !volume.PerAlloc(),
                "volume with access mode "
                        + volume.AccessMode()
                        + " allows only one writer: a canary beside the allocation that it is to"
                        + " replace would wait for it for ever; set canary = 0");
    }

    private static Faults volume(Job job, TaskGroup group, VolumeRequest volume) {
        Faults faults = new Faults();
        switch (volume.Type()) {
            case VolumeBlocks.CSI -> csi(job, group, volume, faults);
            case VolumeBlocks.HOST -> host(volume, faults);
            default -> faults.add("volume has unrecognized type " + volume.Type());
        }
        faults.addIf(volume.Source().isEmpty(), "volume has an empty source");
        perAlloc(job, group, volume, faults);
        if (!volume.Source().isEmpty()) {
            NameRule.idFault("volume id", volume.Source()).ifPresent(faults::add);
        }
        return faults;
    }

    private static void perAlloc(Job job, TaskGroup group, VolumeRequest volume, Faults faults) {
        if (!volume.PerAlloc()) {
            return;
        }
        faults.addIf(JobValidation.isOnEachNode(job), "volume cannot be per_alloc for system or sysbatch jobs");
        faults.addIf(hasCanaries(group), "volume cannot be per_alloc when canaries are in use");
        faults.addIf(volume.Sticky(), "volume cannot be per_alloc and sticky at the same time");
    }

    private static boolean hasCanaries(TaskGroup group) {
        UpdateStrategy update = group.Update();
        return update != null && Canonical.or(update.Canary(), 0) > 0;
    }

    /** A directory of a node, which nobody mounts for it: what is left out of it is the usual. */
    private static void host(VolumeRequest volume, Faults faults) {
        Optional<AccessMode> access = WireNamed.find(AccessMode.class, volume.AccessMode());
        faults.addIf(
                !volume.AccessMode().isEmpty()
                        && !access.map(AccessMode::isSingleNode).orElse(false),
                "host volumes cannot have the access mode \""
                        + volume.AccessMode()
                        + "\": they are of one node; leave it out, or use one of"
                        + " single-node-reader-only, single-node-writer,"
                        + " single-node-single-writer, single-node-multi-writer");
        faults.addIf(
                access.equals(Optional.of(AccessMode.SINGLE_NODE_READER_ONLY)) && !volume.ReadOnly(),
                "single-node-reader-only volumes must be read-only");
        faults.addIf(
                !Set.of("", AttachmentMode.FILE_SYSTEM.wire()).contains(volume.AttachmentMode()),
                "host volumes are directories: attachment_mode \""
                        + volume.AttachmentMode()
                        + "\" is not supported; leave it out, or use \"file-system\"");
        faults.addIf(volume.MountOptions() != null, "host volumes cannot have mount options");
    }

    private static void csi(Job job, TaskGroup group, VolumeRequest volume, Faults faults) {
        modes(volume, faults);
        faults.addIf(volume.Sticky(), "CSI volumes cannot be sticky");
        MountOptionsConversion.faults(volume.MountOptions()).forEach(faults::add);
        counts(Canonical.or(group.Count(), 1), volume, faults);
        beside(job, group, volume, faults);
    }

    private static void modes(VolumeRequest volume, Faults faults) {
        if (volume.AccessMode().isEmpty()) {
            faults.add("CSI volumes must have an access mode");
        } else if (WireNamed.find(AccessMode.class, volume.AccessMode()).isEmpty()) {
            faults.add("volume has an unknown access mode: \"" + volume.AccessMode() + "\"");
        } else if (volume.AccessMode().equals(AccessMode.SINGLE_NODE_SINGLE_WRITER.wire())) {
            faults.add("access mode \""
                    + volume.AccessMode()
                    + "\" is for host volumes; CSI volumes have single-node-writer");
        }
        Optional<AttachmentMode> attachment = WireNamed.find(AttachmentMode.class, volume.AttachmentMode());
        if (volume.AttachmentMode().isEmpty()) {
            faults.add("CSI volumes must have an attachment mode");
        } else if (attachment.isEmpty()) {
            faults.add("volume has an unknown attachment mode: \"" + volume.AttachmentMode() + "\"");
        }
        if (attachment.equals(Optional.of(AttachmentMode.BLOCK_DEVICE))) {
            faults.addIf(volume.MountOptions() != null, "block devices cannot have mount options");
        }
    }

    /** One allocation uses a volume in one way, however often it names it. */
    private static void oneUse(Map<String, VolumeRequest> volumes, Faults faults) {
        Map<String, String> first = new TreeMap<>();
        volumes.forEach((alias, volume) -> {
            String named = first.putIfAbsent(volume.Type() + " " + volume.Source() + " " + volume.PerAlloc(), alias);
            VolumeRequest other = named == null ? null : volumes.get(named);
            faults.addIf(
                    other != null
                            && !(other.AccessMode().equals(volume.AccessMode())
                                    && other.AttachmentMode().equals(volume.AttachmentMode())),
                    "volumes "
                            + named
                            + " and "
                            + alias
                            + " are the same volume "
                            + volume.Source()
                            + ": they must have the same access mode and attachment mode");
        });
    }

    /** How many allocations a mode allows; another volume for each allocation makes it one. */
    private static void counts(int count, VolumeRequest volume, Faults faults) {
        boolean isTooMany = count > 1 && !volume.PerAlloc();
        switch (volume.AccessMode()) {
            case "single-node-reader-only" -> {
                faults.addIf(!volume.ReadOnly(), "single-node-reader-only volumes must be read-only");
                faults.addIf(isTooMany, "volume with single-node-reader-only access mode allows only one reader");
            }
            case "multi-node-reader-only" ->
                faults.addIf(!volume.ReadOnly(), "multi-node-reader-only volumes must be read-only");
            case "single-node-writer" ->
                faults.addIf(isTooMany, "volume with single-node-writer access mode allows only one writer");
            case "multi-node-single-writer" ->
                faults.addIf(
                        isTooMany && !volume.ReadOnly(),
                        "volume with multi-node-single-writer access mode allows only one writer");
            default -> {}
        }
    }
}
