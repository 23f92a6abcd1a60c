package io.cleat.state;

import io.cleat.model.JobId;
import io.cleat.model.JobSpec;
import java.time.Instant;

/**
 * A stored text of a job: one of the newest, or one that an allocation still runs by.
 *
 * @param number the job's own count of its texts, from 0
 */
public record JobVersionRow(
        JobSpec spec, long number, Instant submittedAt, long createVersion, long modifyVersion)
        implements Row<JobVersionRow> {
    public JobId job() {
        return spec.id();
    }

    public JobVersionId id() {
        return new JobVersionId(spec.id(), createVersion);
    }

    @Override
    public JobVersionRow stamped(long newCreate, long newModify) {
        return new JobVersionRow(spec, number, submittedAt, newCreate, newModify);
    }
}
