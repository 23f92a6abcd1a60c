package io.cleat.api;

import static io.cleat.api.Canonical.each;
import static io.cleat.api.Canonical.or;

import io.cleat.base.Refused;
import io.cleat.model.MountLoss;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The part of {@link Canonical} for a task. */
final class CanonicalTask {
    /** Stands in every stored task of Nomad; it exposes nothing to the task. */
    static final RawJson IDENTITY = raw("""
                    {"Audience":["nomadproject.io"],"ChangeMode":"","ChangeSignal":"","Env":false,\
                    "ExtraClaims":null,"File":false,"Filepath":"","Name":"default",\
                    "ServiceName":"","TTL":0}""");

    private static final LogConfig LOGS = new LogConfig(false, null, 10, 10);
    private static final Resources RESOURCES = new Resources(100, 0, null, null, null, 300, null, null, null, null);

    private CanonicalTask() {}

    static Task sent(Job job, String group, Task task, RestartPolicy groupRestart) {
        return Edit.of(task)
                .orElse(Task::KillTimeout, PolicyDefaults.ns(Duration.ofSeconds(5)))
                .set(Task::Affinities, PreferenceConversion.affinitiesFilledIn(task.Affinities()))
                .set(Task::Artifacts, each(task.Artifacts(), CanonicalFiles::artifact))
                .set(Task::CSIPluginConfig, plugin(task.CSIPluginConfig()))
                .set(Task::Constraints, Canonical.constraints(task.Constraints()))
                .set(Task::LogConfig, Edit.over(LOGS, task.LogConfig()))
                .set(Task::Resources, resources(task.Resources()))
                .set(Task::RestartPolicy, Edit.over(groupRestart, task.RestartPolicy()))
                .set(Task::Services, new CanonicalService(job, group, task.Name()).filledIn(task.Services()))
                .set(Task::Templates, each(task.Templates(), CanonicalFiles::template))
                .set(Task::VolumeMounts, each(task.VolumeMounts(), CanonicalTask::mount))
                .done();
    }

    static Task stored(Task task) {
        return Edit.of(task)
                .orElse(Task::Identity, IDENTITY)
                .set(Task::LogConfig, storedLogs(task.LogConfig()))
                .set(Task::Resources, storedResources(task.Resources()))
                .done();
    }

    private static @Nullable CsiPluginConfig plugin(@Nullable CsiPluginConfig given) {
        if (given == null) {
            return null;
        }
        Edit<CsiPluginConfig> edit = Edit.of(given)
                .orElse(CsiPluginConfig::MountDir, "/csi")
                .orElse(CsiPluginConfig::StagePublishBaseDir, "/local/csi");
        if (given.HealthTimeout() == 0) {
            edit.set(CsiPluginConfig::HealthTimeout, PolicyDefaults.ns(Duration.ofSeconds(30)));
        }
        if (given.HoldsMounts()) {
            edit.orElse(CsiPluginConfig::OnMountLoss, MountLoss.ALERT.wire());
        }
        return edit.done();
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
        boolean hasCores = given != null && or(given.Cores(), 0) > 0;
        return Edit.over(
                Edit.of(RESOURCES).set(Resources::CPU, hasCores ? 0 : 100).done(), given);
    }

    private static @Nullable Resources storedResources(@Nullable Resources given) {
        return given == null
                ? null
                : Edit.of(given)
                        .orElse(Resources::DiskMB, 0)
                        .orElse(Resources::IOPS, 0)
                        .orElse(Resources::MemoryMaxMB, 0)
                        .orElse(Resources::SecretsMB, 0)
                        .done();
    }

    private static VolumeMount mount(VolumeMount given) {
        return Edit.of(given)
                .orElse(VolumeMount::Destination, "")
                .orElse(VolumeMount::PropagationMode, "private")
                .orElse(VolumeMount::ReadOnly, false)
                .orElse(VolumeMount::SELinuxLabel, "")
                .orElse(VolumeMount::Volume, "")
                .done();
    }

    private static RawJson raw(String json) {
        try {
            return Json.read(json, RawJson.class);
        } catch (Refused unreadable) {
            throw new IllegalArgumentException(unreadable);
        }
    }
}
