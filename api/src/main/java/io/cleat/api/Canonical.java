package io.cleat.api;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A job with every default filled in. Two forms: what clients make before they send a job ({@link #sent}), and what the
 * server stores and shows ({@link #stored}), which knows more. Filling in a job that is filled in changes nothing.
 */
public final class Canonical {
    private static final EphemeralDisk DISK = new EphemeralDisk(false, 300, false);

    private Canonical() {}

    /** The job as clients send it: defaults of groups and tasks, none that only a server knows. */
    public static Job sent(Job job) {
        String type = orElse(job.Type(), "service");
        return Edit.of(job)
                .orElse(Job::AllAtOnce, false)
                .orElse(Job::ConsulNamespace, "")
                .orElse(Job::CreateIndex, 0L)
                .orElse(Job::JobModifyIndex, 0L)
                .orElse(Job::ModifyIndex, 0L)
                .orElse(Job::Name, job.ID())
                .orElse(Job::Namespace, "default")
                .orElse(Job::NodePool, "")
                .orElse(Job::NomadTokenID, "")
                .orElse(Job::ParentID, "")
                .orElse(Job::Priority, 50)
                .orElse(Job::Region, "global")
                .orElse(Job::Stable, false)
                .orElse(Job::Status, "")
                .orElse(Job::StatusDescription, "")
                .orElse(Job::Stop, false)
                .orElse(Job::Type, type)
                .orElse(Job::VaultNamespace, "")
                .orElse(Job::Version, 0L)
                .set(Job::Affinities, PreferenceConversion.affinitiesFilledIn(job.Affinities()))
                .set(Job::Constraints, constraints(job.Constraints()))
                .set(Job::ParameterizedJob, LaunchConversion.filledIn(job.ParameterizedJob()))
                .set(Job::Periodic, LaunchConversion.filledIn(job.Periodic()))
                .set(Job::Spreads, PreferenceConversion.spreadsFilledIn(job.Spreads()))
                .set(Job::TaskGroups, each(job.TaskGroups(), group -> group(job, type, group)))
                .set(
                        Job::Update,
                        PolicyDefaults.isBatch(type) ? job.Update() : PolicyDefaults.update(type, job.Update(), null))
                // The groups have these.
                .set(Job::Migrate, null)
                .set(Job::Reschedule, null)
                .done();
    }

    /** The job as the server stores it. What only the server sets (indexes, status) is kept. */
    public static Job stored(Job given) {
        Job job = sent(given);
        List<String> datacenters = job.Datacenters();
        return Edit.of(job)
                .orElse(Job::DispatchIdempotencyToken, "")
                .orElse(Job::NodePool, "default")
                .orElse(Job::SubmitTime, 0L)
                .set(Job::Datacenters, datacenters == null || datacenters.isEmpty() ? List.of("*") : datacenters)
                .set(Job::NomadTokenID, "")
                .set(Job::TaskGroups, each(job.TaskGroups(), Canonical::storedGroup))
                .set(Job::Update, storedUpdate(job.Update()))
                .done();
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

    private static TaskGroup group(Job job, String type, TaskGroup group) {
        RestartPolicy restart = PolicyDefaults.restart(type, group.RestartPolicy());
        int count = or(group.Count(), smallest(group.Scaling()));
        return Edit.of(group)
                .set(TaskGroup::Affinities, PreferenceConversion.affinitiesFilledIn(group.Affinities()))
                .set(TaskGroup::Constraints, constraints(group.Constraints()))
                .set(TaskGroup::Count, count)
                .set(TaskGroup::EphemeralDisk, Edit.over(DISK, group.EphemeralDisk()))
                .set(TaskGroup::Migrate, PolicyDefaults.migrate(type, job.Migrate(), group.Migrate()))
                .set(TaskGroup::Networks, NetworkConversion.filledIn(group.Networks()))
                .set(
                        TaskGroup::ReschedulePolicy,
                        PolicyDefaults.reschedule(type, job.Reschedule(), group.ReschedulePolicy()))
                .set(TaskGroup::RestartPolicy, restart)
                .set(TaskGroup::Scaling, ScalingConversion.filledIn(group.Scaling(), count))
                .set(TaskGroup::Services, new CanonicalService(job, group.Name(), "").filledIn(group.Services()))
                .set(TaskGroup::Spreads, PreferenceConversion.spreadsFilledIn(group.Spreads()))
                .set(
                        TaskGroup::Tasks,
                        each(group.Tasks(), task -> CanonicalTask.sent(job, group.Name(), task, restart)))
                .set(TaskGroup::Update, PolicyDefaults.update(type, job.Update(), group.Update()))
                .set(TaskGroup::Volumes, volumes(group.Volumes()))
                .done();
    }

    /** How many allocations a group has that does not say. */
    private static int smallest(@Nullable ScalingPolicy scaling) {
        Long min = scaling == null ? null : scaling.Min();
        return min == null || min < 0 || min > Integer.MAX_VALUE ? 1 : min.intValue();
    }

    private static TaskGroup storedGroup(TaskGroup group) {
        return Edit.of(group)
                .orElse(TaskGroup::PreventRescheduleOnLost, false)
                .set(TaskGroup::Tasks, each(group.Tasks(), CanonicalTask::stored))
                .done();
    }

    private static @Nullable Map<String, VolumeRequest> volumes(@Nullable Map<String, VolumeRequest> given) {
        if (given == null) {
            return null;
        }
        Map<String, VolumeRequest> named = new TreeMap<>();
        given.forEach((alias, volume) -> named.put(
                alias, Edit.of(volume).orElse(VolumeRequest::Name, alias).done()));
        return named;
    }

    static @Nullable List<Constraint> constraints(@Nullable List<Constraint> given) {
        return each(given, one -> Edit.of(one).orElse(Constraint::Operand, "=").done());
    }

    /** The list with {@code change} made to each; null stays null. */
    static <T> @Nullable List<T> each(@Nullable List<T> given, UnaryOperator<T> change) {
        return given == null ? null : given.stream().map(change).toList();
    }

    static <T> T or(@Nullable T given, T otherwise) {
        return given == null ? otherwise : given;
    }

    /** As {@link #or}, where the empty text says nothing too. */
    static String orElse(@Nullable String given, String otherwise) {
        return given == null || given.isEmpty() ? otherwise : given;
    }
}
