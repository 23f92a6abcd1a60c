package io.cleat.state;

import io.cleat.base.Since;
import io.cleat.model.JobId;
import io.cleat.model.JobSource;
import io.cleat.model.JobSpec;
import io.cleat.model.JobTag;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A stored version of a job: one of the newest, or one that an allocation still runs by.
 *
 * @param number the job's own number of it, from 0
 * @param stable whether a deployment of it succeeded, or an operator says so
 * @param source what a person wrote for it; null if that is not known
 * @param tag the name that somebody gave it; null for none. One that has it is kept
 */
public record JobVersionRow(
        JobSpec spec,
        long number,
        Instant submittedAt,
        @Since(2) boolean stable,
        @Since(2) @Nullable JobSource source,
        @Since(Change.SCALING_LEVEL) @Nullable JobTag tag,
        long createVersion,
        long modifyVersion)
        implements Row<JobVersionRow> {
    /** How many versions of a job may have a tag at a time. */
    public static final int TAGS_MOST = 20;

    public JobId job() {
        return spec.id();
    }

    public JobVersionId id() {
        return new JobVersionId(spec.id(), createVersion);
    }

    @Override
    public JobVersionRow stamped(long newCreate, long newModify) {
        return new JobVersionRow(spec, number, submittedAt, stable, source, tag, newCreate, newModify);
    }

    /** Without what a person wrote for it, and said of it. */
    JobVersionRow withoutWords() {
        return new JobVersionRow(spec, number, submittedAt, stable, null, null, createVersion, modifyVersion);
    }

    JobVersionRow marked(boolean isStable) {
        return new JobVersionRow(spec, number, submittedAt, isStable, source, tag, createVersion, modifyVersion);
    }

    JobVersionRow tagged(@Nullable JobTag given) {
        return new JobVersionRow(spec, number, submittedAt, stable, source, given, createVersion, modifyVersion);
    }
}
