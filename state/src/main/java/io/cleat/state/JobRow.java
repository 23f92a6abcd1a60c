package io.cleat.state;

import io.cleat.model.JobId;
import io.cleat.model.JobSpec;
import java.time.Instant;

/**
 * A job as it is wanted now.
 *
 * @param number counts its stored texts, from 0
 * @param stop whether nothing of it is to run
 * @param jobModifyVersion the version that stored {@code spec}
 */
public record JobRow(
        JobSpec spec,
        long number,
        boolean stop,
        Instant submittedAt,
        long jobModifyVersion,
        long createVersion,
        long modifyVersion)
        implements Row<JobRow> {
    public JobId id() {
        return spec.id();
    }

    /** The stored text that is wanted now. */
    public JobVersionId current() {
        return new JobVersionId(spec.id(), jobModifyVersion);
    }

    public JobRow stopped() {
        return new JobRow(
                spec, number, true, submittedAt, jobModifyVersion, createVersion, modifyVersion);
    }

    public JobRow withSpec(JobSpec same) {
        return new JobRow(
                same, number, stop, submittedAt, jobModifyVersion, createVersion, modifyVersion);
    }

    @Override
    public JobRow stamped(long newCreate, long newModify) {
        return new JobRow(
                spec,
                number,
                stop,
                submittedAt,
                jobModifyVersion == 0 ? newModify : jobModifyVersion,
                newCreate,
                newModify);
    }
}
