package io.cleat.clusterapi.jobs;

import io.cleat.api.JobSubmission;
import io.cleat.model.JobSource;
import io.cleat.state.JobVersionRow;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a person wrote for a job, between the API and what is stored. */
final class SourceView {
    private SourceView() {}

    /** Empty for a client that says nothing. */
    static Optional<JobSource> source(@Nullable JobSubmission given) {
        return given == null || given.Source().isEmpty()
                ? Optional.empty()
                : Optional.of(new JobSource(given.Source(), given.Format(), given.VariableFlags(), given.Variables()));
    }

    /** Empty for a version whose source is not kept. */
    static Optional<JobSubmission> of(JobVersionRow jobVersion) {
        return Optional.ofNullable(jobVersion.source())
                .map(source ->
                        new JobSubmission(source.text(), source.format(), source.variableFlags(), source.variables()));
    }

    /** Why the source of a job is not kept, for the one who sent it. */
    static String tooLarge(JobSource source) {
        return "the job's source has "
                + source.bytes()
                + " bytes, and at most "
                + JobSource.MOST_BYTES
                + " are kept: the job runs, but job inspect -hcl will not show it";
    }
}
