package io.cleat.api;

import io.cleat.model.AttachmentMode;
import io.cleat.model.LaneWidths;
import io.cleat.model.MountLoss;
import io.cleat.model.NameRule;
import io.cleat.model.Signals;
import io.cleat.model.TaskLifecycle;
import io.cleat.model.WireNamed;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Rules of a task. */
final class TaskRules {
    /** The driver whose tasks see the host's mounts, and volumes bound for each alone. */
    private static final String PRIVATE_ONLY = "raw_exec";

    private TaskRules() {}

    /** @param volumes the volumes of the task's group */
    static Faults faults(Task task, Map<String, VolumeRequest> volumes, @Nullable EphemeralDisk disk) {
        Faults faults = new Faults();
        TaskBlocks.TASK.check(task, faults);
        faults.addIf(task.Name().contains("/") || task.Name().contains("\\"), "Task name cannot include slashes");
        faults.addIf(task.Name().indexOf('\0') >= 0, "Task name cannot include null bytes");
        if (!task.Name().isEmpty()) {
            NameRule.taskFault(task.Name()).ifPresent(faults::add);
        }
        faults.addIf(
                !task.KillSignal().isEmpty()
                        && Signals.number(task.KillSignal()).isEmpty(),
                "unknown kill_signal \"" + task.KillSignal() + "\": give a name such as SIGINT");
        LaunchRules.payloadFile(task, faults);
        UnsupportedParts.ofTask(task, faults);
        ConstraintRules.check(task.Constraints(), faults);
        PreferenceRules.affinities(task.Affinities(), faults);
        PolicyRules.restart(task.RestartPolicy(), faults);
        resources(task.Resources(), faults);
        cores(task, faults);
        logs(task.LogConfig(), disk, faults);
        mounts(task.VolumeMounts(), task.Driver(), volumes, faults);
        plugin(task.CSIPluginConfig(), faults);
        lifecycle(task, faults);
        FileRules.templates(task.Templates(), faults);
        FileRules.artifacts(task.Artifacts(), faults);
        LaneWidths.faults(Canonical.or(task.Meta(), Map.of())).forEach(faults::add);
        config(task, faults);
        return faults;
    }

    private static void lifecycle(Task task, Faults faults) {
        Lifecycle lifecycle = task.Lifecycle();
        if (lifecycle == null) {
            return;
        }
        String hook = lifecycle.Hook();
        faults.addIf(
                WireNamed.find(TaskLifecycle.Hook.class, hook).isEmpty(),
                hook.isEmpty()
                        ? "no lifecycle hook provided; expected prestart, poststart or poststop"
                        : "invalid hook: " + hook + "; expected prestart, poststart or poststop");
        faults.addIf(
                lifecycle.Sidecar() && hook.equals(TaskLifecycle.Hook.POSTSTOP.wire()),
                "a poststop task cannot be a sidecar: nothing runs beside it; set sidecar = false");
        faults.addIf(task.Leader(), "Only a main task may be marked as leader; remove leader or the lifecycle block");
    }

    private static void config(Task task, Faults faults) {
        RawJson config = task.Config();
        if (config == null || config.isEmpty()) {
            return;
        }
        faults.addIf(!config.value().isObject(), "config must be an object");
        PlainValues.check(config.value(), "config", faults);
    }

    private static void resources(@Nullable Resources resources, Faults faults) {
        if (resources == null) {
            faults.add("Missing task resources");
            return;
        }
        TaskBlocks.RESOURCES.check(resources, faults);
        int cores = Canonical.or(resources.Cores(), 0);
        int cpu = Canonical.or(resources.CPU(), 0);
        faults.addIf(
                cores > 0 && cpu > 0, "Task can only ask for 'cpu' or 'cores' resource, not both: remove one of them");
        faults.addIf(cores <= 0 && cpu < 1, "minimum CPU value is 1; got " + resources.CPU());
        int memory = Canonical.or(resources.MemoryMB(), 0);
        int most = Canonical.or(resources.MemoryMaxMB(), 0);
        faults.addIf(
                most > 0 && most < memory,
                "MemoryMaxMB value (" + most + ") should be larger than MemoryMB value (" + memory + ")");
    }

    /** A task that sees the host is on no core of its own: nothing keeps the others off it. */
    private static void cores(Task task, Faults faults) {
        boolean wantsSome =
                task.Resources() != null && Canonical.or(task.Resources().Cores(), 0) > 0;
        faults.addIf(
                wantsSome && task.Driver().equals(PRIVATE_ONLY),
                UnsupportedParts.text("cores of a raw_exec task", "use cpu, or the driver exec"));
    }

    private static void logs(@Nullable LogConfig logs, @Nullable EphemeralDisk disk, Faults faults) {
        if (logs == null || Canonical.or(logs.Disabled(), false)) {
            return;
        }
        long files = Canonical.or(logs.MaxFiles(), 0);
        long size = Canonical.or(logs.MaxFileSizeMB(), 0);
        faults.addIf(files < 1, "minimum number of files is 1; got " + files);
        faults.addIf(size < 1, "minimum file size is 1MB; got " + size);
        long room = disk == null ? 0 : Canonical.or(disk.SizeMB(), 0);
        faults.addIf(
                files * size > room,
                "log storage (" + files * size + " MB) must be less than requested disk capacity (" + room + " MB)");
    }

    private static void mounts(
            @Nullable List<VolumeMount> mounts, String driver, Map<String, VolumeRequest> volumes, Faults faults) {
        if (mounts == null) {
            return;
        }
        for (int i = 0; i < mounts.size(); i++) {
            VolumeMount mount = mounts.get(i);
            String volume = Canonical.or(mount.Volume(), "");
            if (volume.isEmpty()) {
                faults.add("Task has a volume mount (" + i + ") with an empty volume");
            } else if (!volumes.containsKey(volume)) {
                faults.add("Task has a volume mount (" + i + ") referencing undefined volume " + volume);
            } else if (Canonical.or(mount.ReadOnly(), false)) {
                readOnly(i, volumes.get(volume), faults);
            }
            faults.addIf(
                    Canonical.or(mount.Destination(), "").isEmpty(),
                    "Task has a volume mount (" + i + ") with an empty destination");
            String propagation = Canonical.or(mount.PropagationMode(), "");
            faults.addIf(
                    !VolumeBlocks.PROPAGATIONS.contains(propagation),
                    "Task has a volume mount (" + i + ") with an invalid propagation mode: \"" + propagation + "\"");
            faults.addIf(
                    driver.equals(PRIVATE_ONLY)
                            && VolumeBlocks.PROPAGATIONS.contains(propagation)
                            && !propagation.equals("private"),
                    "Task has a volume mount ("
                            + i
                            + ") with propagation mode \""
                            + propagation
                            + "\" under the driver raw_exec, which binds volumes always privately;"
                            + " leave propagation_mode out, or use a driver that isolates, such as"
                            + " exec");
            VolumeRequest request = volumes.get(volume);
            faults.addIf(
                    propagation.equals("bidirectional")
                            && request != null
                            && request.Type().equals(VolumeBlocks.HOST),
                    "Task has a volume mount ("
                            + i
                            + ") with propagation mode \"bidirectional\" of a host volume: what a"
                            + " task mounts in a directory of the machine would stay there; leave"
                            + " propagation_mode out, or use a CSI volume");
            if (propagation.equals("bidirectional") && request != null) {
                outwards(i, mount, request, faults);
            }
        }
    }

    /** A device refuses writing to all or to nobody: a mount of its file cannot refuse it. */
    private static void readOnly(int index, @Nullable VolumeRequest volume, Faults faults) {
        faults.addIf(
                volume != null
                        && volume.AttachmentMode().equals(AttachmentMode.BLOCK_DEVICE.wire())
                        && !volume.ReadOnly(),
                "Task has a volume mount ("
                        + index
                        + ") that is read-only, of a block device that its group may write to; set"
                        + " read_only = true on the group's volume");
    }

    /** What a task mounts in a volume is to be seen outside, which takes leave to write in it. */
    private static void outwards(int i, VolumeMount mount, VolumeRequest request, Faults faults) {
        String access = request.AccessMode();
        String why = Canonical.or(mount.ReadOnly(), false)
                ? "the mount is read-only"
                : request.ReadOnly()
                        ? "the volume is read-only"
                        : access.endsWith("reader-only") ? "its access mode is " + access : "";
        faults.addIf(
                !why.isEmpty(),
                "Task has a volume mount ("
                        + i
                        + ") with propagation mode \"bidirectional\", and "
                        + why
                        + ": it needs a volume that can be written");
    }

    private static void plugin(@Nullable CsiPluginConfig plugin, Faults faults) {
        if (plugin == null) {
            return;
        }
        TaskBlocks.CSI_PLUGIN.check(plugin, faults);
        if (!plugin.ID().isEmpty()) {
            NameRule.idFault("plugin id", plugin.ID()).ifPresent(faults::add);
        }
        boolean policy = !plugin.OnMountLoss().isEmpty();
        faults.addIf(
                policy && WireNamed.find(MountLoss.class, plugin.OnMountLoss()).isEmpty(),
                "CSIPluginConfig on_mount_loss must be one of 'alert', 'restart_tasks', or 'remount', got: \""
                        + plugin.OnMountLoss()
                        + "\"");
        faults.addIf(
                policy && !plugin.HoldsMounts(),
                "CSIPluginConfig on_mount_loss is only for a plugin with holds_mounts = true");
        faults.addIf(
                isInside(plugin.StagePublishBaseDir(), plugin.MountDir()),
                "CSIPluginConfig StagePublishBaseDir must not be a subdirectory of MountDir, got: "
                        + "StagePublishBaseDir=\""
                        + plugin.StagePublishBaseDir()
                        + "\" MountDir=\""
                        + plugin.MountDir()
                        + "\"");
    }

    static boolean isInside(String path, String directory) {
        return path.equals(directory) || path.startsWith(directory.replaceAll("(?<!/)/++$", "") + "/");
    }
}
