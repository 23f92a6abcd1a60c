package io.cleat.api;

import io.cleat.base.Refused;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A job with every default filled in. Two forms: what clients make before they send a job ({@link #sent}), and what the
 * server stores and shows ({@link #stored}), which knows more. Filling in a job that is filled in changes nothing.
 *
 * <p>What is usual in a block stands in its {@link JobBlock}; here is what depends on what is around it.
 */
public final class Canonical {
    /** Stands in every stored task of Nomad; it exposes nothing to the task. */
    static final RawJson IDENTITY = raw("""
                    {"Audience":["nomadproject.io"],"ChangeMode":"","ChangeSignal":"","Env":false,\
                    "ExtraClaims":null,"File":false,"Filepath":"","Name":"default",\
                    "ServiceName":"","TTL":0}""");

    private Canonical() {}

    /** The job as clients send it: defaults of groups and tasks, none that only a server knows. */
    public static Job sent(Job job) {
        String type = orElse(job.Type(), "service");
        return JobBlocks.JOB.filledIn(Edit.of(job)
                .orElse(Job::Name, job.ID())
                .set(Job::TaskGroups, each(job.TaskGroups(), group -> group(job, type, group)))
                .set(
                        Job::Update,
                        PolicyDefaults.isBatch(type) ? job.Update() : PolicyDefaults.update(type, job.Update(), null))
                // The groups have these.
                .set(Job::Migrate, null)
                .set(Job::Reschedule, null)
                .done());
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
                .set(TaskGroup::Count, count)
                .set(TaskGroup::Migrate, PolicyDefaults.migrate(type, job.Migrate(), group.Migrate()))
                .set(
                        TaskGroup::ReschedulePolicy,
                        PolicyDefaults.reschedule(type, job.Reschedule(), group.ReschedulePolicy()))
                .set(TaskGroup::RestartPolicy, restart)
                .set(TaskGroup::Scaling, scaling(group.Scaling(), count))
                .set(TaskGroup::Services, new CanonicalService(job, group.Name(), "").filledIn(group.Services()))
                .set(TaskGroup::Tasks, each(group.Tasks(), task -> task(job, group.Name(), task, restart)))
                .set(TaskGroup::Update, PolicyDefaults.update(type, job.Update(), group.Update()))
                .set(TaskGroup::Volumes, volumes(group.Volumes()))
                .done();
    }

    /** How many allocations a group has that does not say. */
    private static int smallest(@Nullable ScalingPolicy scaling) {
        Long min = scaling == null ? null : scaling.Min();
        return min == null || min < 0 || min > Integer.MAX_VALUE ? 1 : min.intValue();
    }

    private static @Nullable ScalingPolicy scaling(@Nullable ScalingPolicy given, int count) {
        return given == null
                ? null
                : Edit.of(given).orElse(ScalingPolicy::Min, (long) count).done();
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

    private static Task task(Job job, String group, Task task, RestartPolicy groupRestart) {
        return Edit.of(task)
                .set(Task::RestartPolicy, Edit.over(groupRestart, task.RestartPolicy()))
                .set(Task::Services, new CanonicalService(job, group, task.Name()).filledIn(task.Services()))
                .done();
    }

    private static TaskGroup storedGroup(TaskGroup group) {
        return Edit.of(group)
                .orElse(TaskGroup::PreventRescheduleOnLost, false)
                .set(TaskGroup::Tasks, each(group.Tasks(), Canonical::storedTask))
                .done();
    }

    private static Task storedTask(Task task) {
        return Edit.of(task)
                .orElse(Task::Identity, IDENTITY)
                .set(Task::LogConfig, storedLogs(task.LogConfig()))
                .set(Task::Resources, storedResources(task.Resources()))
                .done();
    }

    /** The old {@code enabled = false} is {@code disabled = true}. */
    private static @Nullable LogConfig storedLogs(@Nullable LogConfig given) {
        if (given == null) {
            return null;
        }
        boolean disabled = or(given.Disabled(), false) || !or(given.Enabled(), true);
        return new LogConfig(disabled, null, given.MaxFileSizeMB(), given.MaxFiles());
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

    private static RawJson raw(String json) {
        try {
            return Json.read(json, RawJson.class);
        } catch (Refused unreadable) {
            throw new IllegalArgumentException(unreadable);
        }
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
