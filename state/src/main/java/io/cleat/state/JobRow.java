package io.cleat.state;

import io.cleat.base.Since;
import io.cleat.model.JobId;
import io.cleat.model.JobLaunch;
import io.cleat.model.JobSpec;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A job as it is wanted now.
 *
 * @param number counts its stored versions, from 0
 * @param stop whether nothing of it is to run
 * @param jobModifyVersion the version that stored {@code spec}
 * @param launchedAt when a copy of it was last run at its time, or its time passed; null for never
 */
public record JobRow(
        JobSpec spec,
        long number,
        boolean stop,
        Instant submittedAt,
        long jobModifyVersion,
        @Since(11) @Nullable Instant launchedAt,
        long createVersion,
        long modifyVersion)
        implements Row<JobRow> {
    /** One of which no copy was run. */
    public JobRow(
            JobSpec spec,
            long number,
            boolean stop,
            Instant submittedAt,
            long jobModifyVersion,
            long createVersion,
            long modifyVersion) {
        this(spec, number, stop, submittedAt, jobModifyVersion, null, createVersion, modifyVersion);
    }

    public JobId id() {
        return spec.id();
    }

    /** The stored version that is wanted now. */
    public JobVersionId current() {
        return new JobVersionId(spec.id(), jobModifyVersion);
    }

    public JobRow stopped() {
        return new JobRow(spec, number, true, submittedAt, jobModifyVersion, launchedAt, createVersion, modifyVersion);
    }

    JobRow launched(Instant at) {
        return new JobRow(spec, number, stop, submittedAt, jobModifyVersion, at, createVersion, modifyVersion);
    }

    /** Whether allocations of its own are to run. */
    public boolean isWanted() {
        return !stop && !spec.launchesChildren();
    }

    /** When copies of it are run; empty if none are by themselves. */
    public Optional<JobLaunch.Periodic> times() {
        return !stop && spec.launch() instanceof JobLaunch.Periodic periodic && periodic.enabled()
                ? Optional.of(periodic)
                : Optional.empty();
    }

    /** From when on the times of a periodic job count. */
    public Instant timesCountFrom() {
        return launchedAt == null || launchedAt.isBefore(submittedAt) ? submittedAt : launchedAt;
    }

    public JobRow withSpec(JobSpec same) {
        return new JobRow(same, number, stop, submittedAt, jobModifyVersion, launchedAt, createVersion, modifyVersion);
    }

    @Override
    public JobRow stamped(long newCreate, long newModify) {
        return new JobRow(
                spec,
                number,
                stop,
                submittedAt,
                jobModifyVersion == 0 ? newModify : jobModifyVersion,
                launchedAt,
                newCreate,
                newModify);
    }
}
