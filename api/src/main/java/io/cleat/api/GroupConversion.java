package io.cleat.api;

import static io.cleat.api.JobConversion.duration;

import io.cleat.model.AccessMode;
import io.cleat.model.AttachmentMode;
import io.cleat.model.HostRequest;
import io.cleat.model.JobId;
import io.cleat.model.MigratePolicy;
import io.cleat.model.MountOptions;
import io.cleat.model.UpdatePolicy;
import io.cleat.model.VolumeModes;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The part of {@link JobConversion} for groups. */
final class GroupConversion {
    static final String CSI = "csi";
    static final String HOST = "host";

    private GroupConversion() {}

    static io.cleat.model.TaskGroup toModel(TaskGroup group) {
        Map<String, io.cleat.model.VolumeRequest> volumes = new TreeMap<>();
        JobConversion.mapOf(group.Volumes()).forEach((alias, volume) -> volumes.put(alias, volume(alias, volume)));
        return new io.cleat.model.TaskGroup(
                group.Name(),
                Canonical.or(group.Count(), 1),
                JobConversion.mapOf(group.Meta()),
                JobConversion.constraints(group.Constraints()),
                volumes,
                restart(group.RestartPolicy()),
                reschedule(group.ReschedulePolicy()),
                migrate(group.Migrate()),
                update(group.Update()),
                disk(group.EphemeralDisk()),
                group.ShutdownDelay() == null ? null : Duration.ofNanos(group.ShutdownDelay()),
                JobConversion.listOf(group.Tasks()).stream()
                        .map(TaskConversion::toModel)
                        .toList(),
                PreferenceConversion.affinities(group.Affinities()),
                PreferenceConversion.spreads(group.Spreads()),
                group.MaxRunDuration() == null ? null : Duration.ofNanos(group.MaxRunDuration()),
                NetworkConversion.toModel(group.Networks()),
                ServiceConversion.toModel(group.Services()),
                ScalingConversion.toModel(group.Scaling()));
    }

    static TaskGroup toJson(JobId job, io.cleat.model.TaskGroup group) {
        Map<String, VolumeRequest> volumes = new TreeMap<>();
        group.volumes().forEach((alias, volume) -> volumes.put(alias, volume(volume)));
        Duration shutdownDelay = group.shutdownDelay();
        Duration maxRunDuration = group.maxRunDuration();
        return new TaskGroup(
                PreferenceConversion.wireAffinities(group.affinities()),
                JobConversion.wireConstraints(group.constraints()),
                null,
                group.count(),
                null,
                new EphemeralDisk(
                        group.disk().migrate(),
                        Math.toIntExact(group.disk().sizeMb()),
                        group.disk().sticky()),
                null,
                maxRunDuration == null ? null : maxRunDuration.toNanos(),
                JobConversion.orNull(group.meta()),
                migrate(group.migrate()),
                group.name(),
                NetworkConversion.toJson(group.network()),
                false,
                reschedule(group.reschedule()),
                restart(group.restart()),
                ScalingConversion.toJson(job, group.name(), group.scaling()),
                ServiceConversion.toJson(group.services(), job.namespace()),
                shutdownDelay == null ? null : shutdownDelay.toNanos(),
                PreferenceConversion.wireSpreads(group.spreads()),
                null,
                group.tasks().stream()
                        .map(task -> TaskConversion.toJson(task, job.namespace()))
                        .toList(),
                update(group.update()),
                volumes.isEmpty() ? null : volumes);
    }

    private static io.cleat.model.VolumeRequest volume(String alias, VolumeRequest volume) {
        boolean isForHost = volume.Type().equals(HOST);
        return new io.cleat.model.VolumeRequest(
                alias,
                volume.Source(),
                volume.ReadOnly(),
                isForHost ? hostModes(volume) : modes(volume.AccessMode(), volume.AttachmentMode()),
                MountOptionsConversion.toModel(volume.MountOptions()),
                volume.PerAlloc(),
                isForHost ? new HostRequest(volume.Sticky(), saysModes(volume)) : null);
    }

    private static VolumeModes modes(String access, String attachment) {
        return new VolumeModes(
                JobConversion.wire(AccessMode.class, access), JobConversion.wire(AttachmentMode.class, attachment));
    }

    private static boolean saysModes(VolumeRequest volume) {
        return !volume.AccessMode().isEmpty() || !volume.AttachmentMode().isEmpty();
    }

    /** What a job leaves out of a host volume is the usual. */
    private static VolumeModes hostModes(VolumeRequest volume) {
        return modes(
                Canonical.orElse(
                        volume.AccessMode(),
                        (volume.ReadOnly() ? AccessMode.SINGLE_NODE_READER_ONLY : AccessMode.SINGLE_NODE_WRITER)
                                .wire()),
                Canonical.orElse(volume.AttachmentMode(), AttachmentMode.FILE_SYSTEM.wire()));
    }

    private static VolumeRequest volume(io.cleat.model.VolumeRequest volume) {
        HostRequest host = volume.host();
        boolean saysModes = host == null || host.modesSaid();
        return new VolumeRequest(
                saysModes ? volume.modes().access().wire() : "",
                saysModes ? volume.modes().attachment().wire() : "",
                volume.mountOptions().equals(MountOptions.NONE)
                        ? null
                        : MountOptionsConversion.toJson(volume.mountOptions()),
                volume.alias(),
                volume.perAlloc(),
                volume.readOnly(),
                volume.source(),
                host != null && host.sticky(),
                host == null ? CSI : HOST);
    }

    static io.cleat.model.RestartPolicy restart(@Nullable RestartPolicy given) {
        RestartPolicy policy = given == null ? PolicyDefaults.restart("service", null) : given;
        return new io.cleat.model.RestartPolicy(
                Canonical.or(policy.Attempts(), 0),
                duration(policy.Interval()),
                duration(policy.Delay()),
                JobConversion.wire(io.cleat.model.RestartPolicy.Mode.class, Canonical.orElse(policy.Mode(), "fail")),
                Canonical.or(policy.RenderTemplates(), false));
    }

    static RestartPolicy restart(io.cleat.model.RestartPolicy policy) {
        return new RestartPolicy(
                policy.attempts(),
                policy.delay().toNanos(),
                policy.interval().toNanos(),
                policy.mode().wire(),
                policy.renderTemplates());
    }

    private static io.cleat.model.@Nullable ReschedulePolicy reschedule(@Nullable ReschedulePolicy given) {
        if (given == null) {
            return null;
        }
        return new io.cleat.model.ReschedulePolicy(
                Canonical.or(given.Attempts(), 0),
                duration(given.Interval()),
                duration(given.Delay()),
                Canonical.or(given.DelayFunction(), ""),
                duration(given.MaxDelay()),
                Canonical.or(given.Unlimited(), false));
    }

    private static @Nullable ReschedulePolicy reschedule(io.cleat.model.@Nullable ReschedulePolicy policy) {
        return policy == null
                ? null
                : new ReschedulePolicy(
                        policy.attempts(),
                        policy.delay().toNanos(),
                        policy.delayFunction(),
                        policy.interval().toNanos(),
                        policy.maxDelay().toNanos(),
                        policy.unlimited());
    }

    private static @Nullable MigratePolicy migrate(@Nullable MigrateStrategy given) {
        return given == null
                ? null
                : new MigratePolicy(
                        Canonical.or(given.MaxParallel(), 0),
                        Canonical.or(given.HealthCheck(), ""),
                        duration(given.MinHealthyTime()),
                        duration(given.HealthyDeadline()));
    }

    private static @Nullable MigrateStrategy migrate(@Nullable MigratePolicy policy) {
        return policy == null
                ? null
                : new MigrateStrategy(
                        policy.healthCheck(),
                        policy.healthyDeadline().toNanos(),
                        policy.maxParallel(),
                        policy.minHealthyTime().toNanos());
    }

    private static @Nullable UpdatePolicy update(@Nullable UpdateStrategy given) {
        return given == null
                ? null
                : new UpdatePolicy(
                        Canonical.or(given.MaxParallel(), 0),
                        Canonical.or(given.Canary(), 0),
                        Canonical.or(given.HealthCheck(), ""),
                        duration(given.MinHealthyTime()),
                        duration(given.HealthyDeadline()),
                        duration(given.ProgressDeadline()),
                        duration(given.Stagger()),
                        Canonical.or(given.AutoRevert(), false),
                        Canonical.or(given.AutoPromote(), false));
    }

    private static @Nullable UpdateStrategy update(@Nullable UpdatePolicy policy) {
        return policy == null
                ? null
                : new UpdateStrategy(
                        policy.autoPromote(),
                        policy.autoRevert(),
                        policy.canary(),
                        policy.healthCheck(),
                        policy.healthyDeadline().toNanos(),
                        policy.maxParallel(),
                        policy.minHealthyTime().toNanos(),
                        policy.progressDeadline().toNanos(),
                        policy.stagger().toNanos());
    }

    private static io.cleat.model.EphemeralDisk disk(@Nullable EphemeralDisk given) {
        return given == null
                ? new io.cleat.model.EphemeralDisk(300, false, false)
                : new io.cleat.model.EphemeralDisk(
                        Canonical.or(given.SizeMB(), 300),
                        Canonical.or(given.Sticky(), false),
                        Canonical.or(given.Migrate(), false));
    }
}
