package io.cleat.api;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A job with every default filled in. Two forms: what clients make before they send a job ({@link
 * #sent}), and what the server stores and shows ({@link #stored}), which knows more. Filling in a
 * job that is filled in changes nothing.
 */
public final class Canonical {
    private Canonical() {}

    /** The job as clients send it: defaults of groups and tasks, none that only a server knows. */
    public static Job sent(Job job) {
        String type = orElse(job.Type(), "service");
        return new Job(
                PreferenceConversion.affinitiesFilledIn(job.Affinities()),
                or(job.AllAtOnce(), false),
                constraints(job.Constraints()),
                or(job.ConsulNamespace(), ""),
                or(job.CreateIndex(), 0L),
                job.Datacenters(),
                job.DispatchIdempotencyToken(),
                job.Dispatched(),
                job.ID(),
                or(job.JobModifyIndex(), 0L),
                job.Meta(),
                null,
                or(job.ModifyIndex(), 0L),
                job.Multiregion(),
                job.Name().isEmpty() ? job.ID() : job.Name(),
                orElse(job.Namespace(), "default"),
                or(job.NodePool(), ""),
                or(job.NomadTokenID(), ""),
                LaunchConversion.filledIn(job.ParameterizedJob()),
                or(job.ParentID(), ""),
                job.Payload(),
                LaunchConversion.filledIn(job.Periodic()),
                or(job.Priority(), 50),
                orElse(job.Region(), "global"),
                null,
                PreferenceConversion.spreadsFilledIn(job.Spreads()),
                or(job.Stable(), false),
                or(job.Status(), ""),
                or(job.StatusDescription(), ""),
                or(job.Stop(), false),
                job.SubmitTime(),
                groups(job, type),
                type,
                job.UI(),
                PolicyDefaults.isBatch(type)
                        ? job.Update()
                        : PolicyDefaults.update(type, job.Update(), null),
                or(job.VaultNamespace(), ""),
                or(job.Version(), 0L),
                job.VersionTag());
    }

    /** The job as the server stores it. What only the server sets (indexes, status) is kept. */
    public static Job stored(Job given) {
        Job job = sent(given);
        List<String> datacenters = job.Datacenters();
        return new Job(
                job.Affinities(),
                job.AllAtOnce(),
                job.Constraints(),
                job.ConsulNamespace(),
                job.CreateIndex(),
                datacenters == null || datacenters.isEmpty() ? List.of("*") : datacenters,
                or(job.DispatchIdempotencyToken(), ""),
                job.Dispatched(),
                job.ID(),
                job.JobModifyIndex(),
                job.Meta(),
                null,
                job.ModifyIndex(),
                job.Multiregion(),
                job.Name(),
                job.Namespace(),
                orElse(job.NodePool(), "default"),
                "",
                job.ParameterizedJob(),
                job.ParentID(),
                job.Payload(),
                job.Periodic(),
                job.Priority(),
                job.Region(),
                null,
                job.Spreads(),
                job.Stable(),
                job.Status(),
                job.StatusDescription(),
                job.Stop(),
                or(job.SubmitTime(), 0L),
                storedGroups(job.TaskGroups()),
                job.Type(),
                job.UI(),
                storedUpdate(job.Update()),
                job.VaultNamespace(),
                job.Version(),
                job.VersionTag());
    }

    /** Of a job's own block only two values remain; the groups have the rest. */
    private static UpdateStrategy storedUpdate(@Nullable UpdateStrategy update) {
        return new UpdateStrategy(
                false,
                false,
                0,
                "",
                0L,
                update == null ? 0 : or(update.MaxParallel(), 0),
                0L,
                0L,
                update == null ? 0L : or(update.Stagger(), 0L));
    }

    private static @Nullable List<TaskGroup> groups(Job job, String type) {
        List<TaskGroup> groups = job.TaskGroups();
        return groups == null ? null : groups.stream().map(g -> group(job, type, g)).toList();
    }

    private static TaskGroup group(Job job, String type, TaskGroup group) {
        RestartPolicy restart = PolicyDefaults.restart(type, group.RestartPolicy());
        List<Task> tasks = group.Tasks();
        int count = or(group.Count(), smallest(group.Scaling()));
        return new TaskGroup(
                PreferenceConversion.affinitiesFilledIn(group.Affinities()),
                constraints(group.Constraints()),
                group.Consul(),
                count,
                group.Disconnect(),
                disk(group.EphemeralDisk()),
                group.MaxClientDisconnect(),
                group.MaxRunDuration(),
                group.Meta(),
                PolicyDefaults.migrate(type, job.Migrate(), group.Migrate()),
                group.Name(),
                NetworkConversion.filledIn(group.Networks()),
                group.PreventRescheduleOnLost(),
                PolicyDefaults.reschedule(type, job.Reschedule(), group.ReschedulePolicy()),
                restart,
                ScalingConversion.filledIn(group.Scaling(), count),
                new CanonicalService(job, group.Name(), "").filledIn(group.Services()),
                group.ShutdownDelay(),
                PreferenceConversion.spreadsFilledIn(group.Spreads()),
                group.StopAfterClientDisconnect(),
                tasks == null
                        ? null
                        : tasks.stream()
                                .map(t -> CanonicalTask.sent(job, group.Name(), t, restart))
                                .toList(),
                PolicyDefaults.update(type, job.Update(), group.Update()),
                volumes(group.Volumes()));
    }

    /** How many allocations a group has that does not say. */
    private static int smallest(@Nullable ScalingPolicy scaling) {
        Long min = scaling == null ? null : scaling.Min();
        return min == null || min < 0 || min > Integer.MAX_VALUE ? 1 : min.intValue();
    }

    private static @Nullable List<TaskGroup> storedGroups(@Nullable List<TaskGroup> groups) {
        return groups == null ? null : groups.stream().map(Canonical::storedGroup).toList();
    }

    private static TaskGroup storedGroup(TaskGroup group) {
        List<Task> tasks = group.Tasks();
        return new TaskGroup(
                group.Affinities(),
                group.Constraints(),
                group.Consul(),
                group.Count(),
                group.Disconnect(),
                group.EphemeralDisk(),
                group.MaxClientDisconnect(),
                group.MaxRunDuration(),
                group.Meta(),
                group.Migrate(),
                group.Name(),
                group.Networks(),
                or(group.PreventRescheduleOnLost(), false),
                group.ReschedulePolicy(),
                group.RestartPolicy(),
                group.Scaling(),
                group.Services(),
                group.ShutdownDelay(),
                group.Spreads(),
                group.StopAfterClientDisconnect(),
                tasks == null ? null : tasks.stream().map(CanonicalTask::stored).toList(),
                group.Update(),
                group.Volumes());
    }

    private static EphemeralDisk disk(@Nullable EphemeralDisk given) {
        return given == null
                ? new EphemeralDisk(false, 300, false)
                : new EphemeralDisk(
                        or(given.Migrate(), false),
                        or(given.SizeMB(), 300),
                        or(given.Sticky(), false));
    }

    private static @Nullable Map<String, VolumeRequest> volumes(
            @Nullable Map<String, VolumeRequest> given) {
        if (given == null) {
            return null;
        }
        Map<String, VolumeRequest> named = new TreeMap<>();
        given.forEach(
                (alias, volume) ->
                        named.put(
                                alias,
                                new VolumeRequest(
                                        volume.AccessMode(),
                                        volume.AttachmentMode(),
                                        volume.MountOptions(),
                                        volume.Name().isEmpty() ? alias : volume.Name(),
                                        volume.PerAlloc(),
                                        volume.ReadOnly(),
                                        volume.Source(),
                                        volume.Sticky(),
                                        volume.Type())));
        return named;
    }

    static @Nullable List<Constraint> constraints(@Nullable List<Constraint> given) {
        return given == null
                ? null
                : given.stream()
                        .map(
                                c ->
                                        new Constraint(
                                                c.LTarget(), orElse(c.Operand(), "="), c.RTarget()))
                        .toList();
    }

    static <T> T or(@Nullable T given, T otherwise) {
        return given == null ? otherwise : given;
    }

    /** As {@link #or}, where the empty text says nothing too. */
    static String orElse(@Nullable String given, String otherwise) {
        return given == null || given.isEmpty() ? otherwise : given;
    }
}
