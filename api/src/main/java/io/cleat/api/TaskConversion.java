package io.cleat.api;

import static io.cleat.api.JobConversion.duration;

import io.cleat.model.CsiPluginSpec;
import io.cleat.model.LogLimits;
import io.cleat.model.MountLoss;
import io.cleat.model.PluginType;
import io.cleat.model.TaskLifecycle;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The part of {@link JobConversion} for tasks. */
final class TaskConversion {
    private TaskConversion() {}

    static io.cleat.model.Task toModel(Task task) {
        RawJson config = task.Config();
        return new io.cleat.model.Task(
                task.Name(),
                task.Driver(),
                task.User(),
                config == null ? Map.of() : PlainValues.map(config.value()),
                JobConversion.mapOf(task.Env()),
                JobConversion.mapOf(task.Meta()),
                JobConversion.constraints(task.Constraints()),
                resources(task.Resources()),
                logs(task.LogConfig()),
                JobConversion.listOf(task.VolumeMounts()).stream()
                        .map(TaskConversion::mount)
                        .toList(),
                task.KillSignal(),
                duration(task.KillTimeout()),
                duration(task.ShutdownDelay()),
                task.Leader(),
                GroupConversion.restart(task.RestartPolicy()),
                plugin(task.CSIPluginConfig()),
                lifecycle(task.Lifecycle()),
                JobConversion.listOf(task.Templates()).stream()
                        .map(FileConversion::template)
                        .toList(),
                JobConversion.listOf(task.Artifacts()).stream()
                        .map(FileConversion::artifact)
                        .toList(),
                task.DispatchPayload() == null ? null : task.DispatchPayload().File(),
                PreferenceConversion.affinities(task.Affinities()),
                ServiceConversion.toModel(task.Services()));
    }

    static Task toJson(io.cleat.model.Task task, String namespace) {
        JsonNode config = task.config().isEmpty() ? null : Json.toTree(PlainValues.sorted(task.config()));
        List<Artifact> artifacts =
                task.artifacts().stream().map(FileConversion::artifact).toList();
        List<Template> templates =
                task.templates().stream().map(FileConversion::template).toList();
        List<VolumeMount> mounts =
                task.volumeMounts().stream().map(TaskConversion::mount).toList();
        return new Task(
                null,
                PreferenceConversion.wireAffinities(task.affinities()),
                artifacts.isEmpty() ? null : artifacts,
                plugin(task.csiPlugin()),
                config == null ? null : new RawJson(config),
                JobConversion.wireConstraints(task.constraints()),
                null,
                task.payloadFile() == null ? null : new DispatchPayloadConfig(task.payloadFile()),
                task.driver(),
                JobConversion.orNull(task.env()),
                null,
                null,
                task.killSignal(),
                task.killTimeout().toNanos(),
                "",
                task.leader(),
                lifecycle(task.lifecycle()),
                new LogConfig(
                        task.logs().disabled(),
                        null,
                        task.logs().maxFileSizeMb(),
                        task.logs().maxFiles()),
                JobConversion.orNull(task.meta()),
                task.name(),
                resources(task.resources()),
                GroupConversion.restart(task.restart()),
                null,
                null,
                null,
                ServiceConversion.toJson(task.services(), namespace),
                task.shutdownDelay().toNanos(),
                templates.isEmpty() ? null : templates,
                task.user(),
                null,
                mounts.isEmpty() ? null : mounts);
    }

    private static io.cleat.model.Resources resources(@Nullable Resources given) {
        return given == null
                ? io.cleat.model.Resources.NONE
                : new io.cleat.model.Resources(
                        Canonical.or(given.CPU(), 0),
                        Canonical.or(given.MemoryMB(), 0),
                        Canonical.or(given.MemoryMaxMB(), 0),
                        Canonical.or(given.Cores(), 0),
                        List.of());
    }

    private static Resources resources(io.cleat.model.Resources given) {
        return new Resources(
                Math.toIntExact(given.cpuMhz()),
                given.cores(),
                null,
                0,
                0,
                Math.toIntExact(given.memoryMb()),
                Math.toIntExact(given.memoryMaxMb()),
                null,
                null,
                0);
    }

    private static LogLimits logs(@Nullable LogConfig given) {
        return given == null
                ? LogLimits.DEFAULT
                : new LogLimits(
                        Canonical.or(given.MaxFiles(), LogLimits.DEFAULT.maxFiles()),
                        Canonical.or(given.MaxFileSizeMB(), LogLimits.DEFAULT.maxFileSizeMb()),
                        Canonical.or(given.Disabled(), false));
    }

    private static @Nullable TaskLifecycle lifecycle(@Nullable Lifecycle given) {
        return given == null
                ? null
                : new TaskLifecycle(JobConversion.wire(TaskLifecycle.Hook.class, given.Hook()), given.Sidecar());
    }

    private static @Nullable Lifecycle lifecycle(@Nullable TaskLifecycle given) {
        return given == null ? null : new Lifecycle(given.hook().wire(), given.sidecar());
    }

    private static io.cleat.model.VolumeMount mount(VolumeMount given) {
        return new io.cleat.model.VolumeMount(
                Canonical.or(given.Volume(), ""),
                Canonical.or(given.Destination(), ""),
                Canonical.or(given.ReadOnly(), false),
                Canonical.orElse(given.PropagationMode(), "private"),
                Canonical.or(given.SELinuxLabel(), ""));
    }

    private static VolumeMount mount(io.cleat.model.VolumeMount given) {
        return new VolumeMount(
                given.destination(), given.propagation(), given.readOnly(), given.selinuxLabel(), given.alias());
    }

    private static @Nullable CsiPluginSpec plugin(@Nullable CsiPluginConfig given) {
        return given == null
                ? null
                : new CsiPluginSpec(
                        given.ID(),
                        JobConversion.wire(PluginType.class, given.Type()),
                        given.MountDir(),
                        given.StagePublishBaseDir(),
                        duration(given.HealthTimeout()),
                        given.HoldsMounts() ? JobConversion.wire(MountLoss.class, given.OnMountLoss()) : null,
                        given.Overlap());
    }

    private static @Nullable CsiPluginConfig plugin(@Nullable CsiPluginSpec given) {
        if (given == null) {
            return null;
        }
        MountLoss loss = given.onMountLoss();
        return new CsiPluginConfig(
                given.healthTimeout().toNanos(),
                loss != null,
                given.id(),
                given.mountDir(),
                loss == null ? "" : loss.wire(),
                given.overlap(),
                given.stagePublishBaseDir(),
                given.type().wire());
    }
}
