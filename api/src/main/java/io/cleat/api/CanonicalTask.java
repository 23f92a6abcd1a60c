package io.cleat.api;

import static io.cleat.api.Canonical.or;
import static io.cleat.api.Canonical.orElse;

import io.cleat.base.Refused;
import io.cleat.model.MountLoss;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The part of {@link Canonical} for a task. */
final class CanonicalTask {
    /** Stands in every stored task of Nomad; it exposes nothing to the task. */
    static final RawJson IDENTITY =
            raw(
                    """
                    {"Audience":["nomadproject.io"],"ChangeMode":"","ChangeSignal":"","Env":false,\
                    "ExtraClaims":null,"File":false,"Filepath":"","Name":"default",\
                    "ServiceName":"","TTL":0}""");

    private CanonicalTask() {}

    static Task sent(Job job, String group, Task task, RestartPolicy groupRestart) {
        List<Artifact> artifacts = task.Artifacts();
        List<Template> templates = task.Templates();
        List<VolumeMount> mounts = task.VolumeMounts();
        return new Task(
                task.Actions(),
                PreferenceConversion.affinitiesFilledIn(task.Affinities()),
                artifacts == null
                        ? null
                        : artifacts.stream().map(CanonicalFiles::artifact).toList(),
                plugin(task.CSIPluginConfig()),
                task.Config(),
                Canonical.constraints(task.Constraints()),
                task.Consul(),
                task.DispatchPayload(),
                task.Driver(),
                task.Env(),
                task.Identities(),
                task.Identity(),
                task.KillSignal(),
                or(task.KillTimeout(), PolicyDefaults.ns(Duration.ofSeconds(5))),
                task.Kind(),
                task.Leader(),
                task.Lifecycle(),
                logs(task.LogConfig()),
                task.Meta(),
                task.Name(),
                resources(task.Resources()),
                PolicyDefaults.over(groupRestart, task.RestartPolicy()),
                task.ScalingPolicies(),
                task.Schedule(),
                task.Secrets(),
                new CanonicalService(job, group, task.Name()).filledIn(task.Services()),
                task.ShutdownDelay(),
                templates == null
                        ? null
                        : templates.stream().map(CanonicalFiles::template).toList(),
                task.User(),
                task.Vault(),
                mounts == null ? null : mounts.stream().map(CanonicalTask::mount).toList());
    }

    static Task stored(Task task) {
        return new Task(
                task.Actions(),
                task.Affinities(),
                task.Artifacts(),
                task.CSIPluginConfig(),
                task.Config(),
                task.Constraints(),
                task.Consul(),
                task.DispatchPayload(),
                task.Driver(),
                task.Env(),
                task.Identities(),
                or(task.Identity(), IDENTITY),
                task.KillSignal(),
                task.KillTimeout(),
                task.Kind(),
                task.Leader(),
                task.Lifecycle(),
                storedLogs(task.LogConfig()),
                task.Meta(),
                task.Name(),
                storedResources(task.Resources()),
                task.RestartPolicy(),
                task.ScalingPolicies(),
                task.Schedule(),
                task.Secrets(),
                task.Services(),
                task.ShutdownDelay(),
                task.Templates(),
                task.User(),
                task.Vault(),
                task.VolumeMounts());
    }

    private static @Nullable CsiPluginConfig plugin(@Nullable CsiPluginConfig given) {
        if (given == null) {
            return null;
        }
        return new CsiPluginConfig(
                given.HealthTimeout() == 0
                        ? PolicyDefaults.ns(Duration.ofSeconds(30))
                        : given.HealthTimeout(),
                given.HoldsMounts(),
                given.ID(),
                orElse(given.MountDir(), "/csi"),
                given.HoldsMounts()
                        ? orElse(given.OnMountLoss(), MountLoss.ALERT.wire())
                        : given.OnMountLoss(),
                given.Overlap(),
                orElse(given.StagePublishBaseDir(), "/local/csi"),
                given.Type());
    }

    private static LogConfig logs(@Nullable LogConfig given) {
        return given == null
                ? new LogConfig(false, null, 10, 10)
                : new LogConfig(
                        or(given.Disabled(), false),
                        given.Enabled(),
                        or(given.MaxFileSizeMB(), 10),
                        or(given.MaxFiles(), 10));
    }

    /** The old {@code enabled = false} is {@code disabled = true}. */
    private static @Nullable LogConfig storedLogs(@Nullable LogConfig given) {
        if (given == null) {
            return null;
        }
        boolean disabled = or(given.Disabled(), false) || !or(given.Enabled(), true);
        return new LogConfig(disabled, null, given.MaxFileSizeMB(), given.MaxFiles());
    }

    private static Resources resources(@Nullable Resources given) {
        if (given == null) {
            return new Resources(100, 0, null, null, null, 300, null, null, null, null);
        }
        int cores = or(given.Cores(), 0);
        return new Resources(
                or(given.CPU(), cores > 0 ? 0 : 100),
                cores,
                given.Devices(),
                given.DiskMB(),
                given.IOPS(),
                or(given.MemoryMB(), 300),
                given.MemoryMaxMB(),
                given.NUMA(),
                given.Networks(),
                given.SecretsMB());
    }

    private static @Nullable Resources storedResources(@Nullable Resources given) {
        if (given == null) {
            return null;
        }
        return new Resources(
                given.CPU(),
                given.Cores(),
                given.Devices(),
                or(given.DiskMB(), 0),
                or(given.IOPS(), 0),
                given.MemoryMB(),
                or(given.MemoryMaxMB(), 0),
                given.NUMA(),
                given.Networks(),
                or(given.SecretsMB(), 0));
    }

    private static VolumeMount mount(VolumeMount given) {
        return new VolumeMount(
                or(given.Destination(), ""),
                orElse(given.PropagationMode(), "private"),
                or(given.ReadOnly(), false),
                or(given.SELinuxLabel(), ""),
                or(given.Volume(), ""));
    }

    private static RawJson raw(String json) {
        try {
            return Json.read(json, RawJson.class);
        } catch (Refused unreadable) {
            throw new IllegalArgumentException(unreadable);
        }
    }
}
