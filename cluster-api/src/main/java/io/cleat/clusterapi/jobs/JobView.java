package io.cleat.clusterapi.jobs;

import io.cleat.api.Job;
import io.cleat.api.JobChildren;
import io.cleat.api.JobConversion;
import io.cleat.api.JobStub;
import io.cleat.api.JobSummary;
import io.cleat.api.JobVersionTag;
import io.cleat.api.Nanos;
import io.cleat.api.StoredJob;
import io.cleat.api.TaskGroupSummary;
import io.cleat.model.JobId;
import io.cleat.model.JobLaunch;
import io.cleat.model.JobSpec;
import io.cleat.model.JobTag;
import io.cleat.schedule.GroupTally;
import io.cleat.state.AllocationRow;
import io.cleat.state.ClusterState;
import io.cleat.state.JobRow;
import io.cleat.state.JobStatus;
import io.cleat.state.JobVersionRow;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Jobs: as stored, as a list shows them, and what became of their allocations. */
public final class JobView {
    private JobView() {}

    /** What is shown of a job that is not in its row. */
    record Beside(
            JobStatus status, boolean stable, @Nullable JobTag tag) {}

    static Beside beside(ClusterState state, JobRow row) {
        Optional<JobVersionRow> jobVersion = state.jobVersion(row.current());
        return new Beside(
                state.jobStatus(row),
                jobVersion.map(JobVersionRow::stable).orElse(false),
                jobVersion.map(JobVersionRow::tag).orElse(null));
    }

    public static Job job(ClusterState state, JobRow row) {
        return job(row, beside(state, row));
    }

    static Job job(JobRow row, Beside beside) {
        return JobConversion.toJob(
                row.spec(),
                new StoredJob(
                        row.number(),
                        row.createVersion(),
                        row.modifyVersion(),
                        row.jobModifyVersion(),
                        beside.status().wire(),
                        "",
                        row.stop(),
                        beside.stable(),
                        Nanos.of(row.submittedAt()),
                        tag(beside.tag())));
    }

    /**
     * What is shown of a stored version that is not in its row.
     *
     * @param isStopped only where it is that of a stopped job
     */
    public record BesideVersion(long createVersion, JobStatus status, boolean isStopped) {}

    public static BesideVersion beside(ClusterState state, JobVersionRow row) {
        Optional<JobRow> job = state.job(row.job());
        return new BesideVersion(
                job.map(JobRow::createVersion).orElse(row.createVersion()),
                job.map(state::jobStatus).orElse(JobStatus.DEAD),
                job.filter(now -> now.current().equals(row.id()) && now.stop()).isPresent());
    }

    public static Job version(ClusterState state, JobVersionRow row) {
        return version(row, beside(state, row));
    }

    public static Job version(JobVersionRow row, BesideVersion beside) {
        return JobConversion.toJob(
                row.spec(),
                new StoredJob(
                        row.number(),
                        beside.createVersion(),
                        row.modifyVersion(),
                        row.createVersion(),
                        beside.status().wire(),
                        "",
                        beside.isStopped(),
                        row.stable(),
                        Nanos.of(row.submittedAt()),
                        tag(row.tag())));
    }

    private static @Nullable JobVersionTag tag(@Nullable JobTag tag) {
        return tag == null ? null : new JobVersionTag(tag.description(), tag.name(), Nanos.of(tag.at()));
    }

    static JobStub stub(ClusterState state, JobRow row, boolean meta) {
        JobSpec spec = row.spec();
        return new JobStub(
                row.createVersion(),
                spec.datacenters(),
                row.id().id(),
                row.jobModifyVersion(),
                summary(state, row),
                meta && !spec.meta().isEmpty() ? new TreeMap<>(spec.meta()) : null,
                row.modifyVersion(),
                null,
                spec.name(),
                row.id().namespace(),
                spec.nodePool(),
                spec.launch() instanceof JobLaunch.Parameterized,
                spec.parent().map(JobId::id).orElse(""),
                spec.launch() instanceof JobLaunch.Periodic,
                spec.priority(),
                state.jobStatus(row).wire(),
                "",
                row.stop(),
                Nanos.of(row.submittedAt()),
                spec.type().wire());
    }

    static JobSummary summary(ClusterState state, JobRow row) {
        Map<String, TaskGroupSummary> groups = new TreeMap<>();
        GroupTally.of(state, row).forEach((group, tally) -> groups.put(group, summary(tally)));
        long modified = state.allocationsOfJob(row.id()).stream()
                .mapToLong(AllocationRow::modifyVersion)
                .max()
                .orElse(0);
        return new JobSummary(
                children(state, row),
                row.createVersion(),
                row.id().id(),
                Math.max(row.modifyVersion(), modified),
                row.id().namespace(),
                groups);
    }

    /** Of those that are still known: what is over goes after some time. */
    private static JobChildren children(ClusterState state, JobRow row) {
        Map<JobStatus, Long> counts = row.spec().launchesChildren()
                ? state.childrenOf(row.id()).stream()
                        .collect(Collectors.groupingBy(state::jobStatus, Collectors.counting()))
                : Map.of();
        return new JobChildren(
                counts.getOrDefault(JobStatus.DEAD, 0L),
                counts.getOrDefault(JobStatus.PENDING, 0L),
                counts.getOrDefault(JobStatus.RUNNING, 0L));
    }

    private static TaskGroupSummary summary(GroupTally tally) {
        return new TaskGroupSummary(
                tally.complete(),
                tally.failed(),
                tally.lost(),
                tally.queued(),
                tally.running(),
                tally.starting(),
                tally.unknown());
    }
}
