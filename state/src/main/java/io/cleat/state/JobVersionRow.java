package io.cleat.state;

import io.cleat.model.JobId;
import io.cleat.model.JobSpec;
import java.time.Instant;

/**
 * A stored text of a job: one of the newest, or one that an allocation still runs by.
 *
 * @param number the job's own count of its texts, from 0
 * @param stable whether a deployment of it succeeded, or an operator says so
 */
public record JobVersionRow(
        JobSpec spec,
        long number,
        Instant submittedAt,
        boolean stable,
        long createVersion,
        long modifyVersion)
        implements Row<JobVersionRow> {
    public JobId job() {
        return spec.id();
    }

    public JobVersionId id() {
        return new JobVersionId(spec.id(), createVersion);
    }

    @Override
    public JobVersionRow stamped(long newCreate, long newModify) {
        return new JobVersionRow(spec, number, submittedAt, stable, newCreate, newModify);
    }

    JobVersionRow marked(boolean isStable) {
        return new JobVersionRow(spec, number, submittedAt, isStable, createVersion, modifyVersion);
    }
}
