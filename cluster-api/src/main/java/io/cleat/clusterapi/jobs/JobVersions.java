package io.cleat.clusterapi.jobs;

import io.cleat.api.Answer;
import io.cleat.api.AnswerMeta;
import io.cleat.api.Job;
import io.cleat.api.JobDiff;
import io.cleat.api.JobStabilityRequest;
import io.cleat.api.JobStabilityResponse;
import io.cleat.api.JobSubmission;
import io.cleat.api.JobTagRequest;
import io.cleat.api.JobTagResponse;
import io.cleat.api.JobVersionsResponse;
import io.cleat.base.Meter;
import io.cleat.base.Refusal;
import io.cleat.base.Refused;
import io.cleat.base.TextRule;
import io.cleat.base.Trouble;
import io.cleat.clusterapi.query.ListOfViews;
import io.cleat.clusterapi.query.Reading;
import io.cleat.clusterapi.query.Readings;
import io.cleat.http.ReadQuery;
import io.cleat.http.WriteQuery;
import io.cleat.model.JobId;
import io.cleat.server.decide.TagJobVersion;
import io.cleat.server.intake.Requests;
import io.cleat.server.intake.Versions;
import io.cleat.state.ClusterState;
import io.cleat.state.JobRow;
import io.cleat.state.JobVersionRow;
import io.cleat.state.TableName;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/** The versions of jobs that are stored: shown, compared, tagged. */
public final class JobVersions {
    private static final Versions VERSION = Versions.of(TableName.JOBS, TableName.JOB_VERSIONS);

    private final Readings readings;
    private final Requests requests;

    public JobVersions(Readings readings, Requests requests) {
        this.readings = readings;
        this.requests = requests;
    }

    /**
     * The stored versions, newest first.
     *
     * @param diffs whether to say how each differs from the one before it
     * @param against the version that each other one is compared with instead
     * @param againstTag the tag of that version; empty for none
     * @throws Refused there is no such version to compare with
     */
    public Answer<Optional<JobVersionsResponse>> versions(
            ReadQuery query, String id, boolean diffs, OptionalLong against, String againstTag)
            throws Refused, Trouble, InterruptedException {
        Reading reading = readings.read(query, VERSION);
        ClusterState state = reading.state();
        AnswerMeta meta = reading.meta();
        Optional<JobRow> job = state.job(new JobId(query.namespace(), id));
        if (job.isEmpty()) {
            return new Answer<>(Optional.empty(), meta);
        }
        List<Job> versions = versions(state, job.get());
        OptionalLong compared = VersionTags.against(id, versions, against, againstTag);
        return new Answer<>(
                Optional.of(new JobVersionsResponse(
                        diffs ? diffs(id, versions, compared) : null,
                        meta.index(),
                        meta.knownLeader(),
                        meta.lastContactMillis(),
                        "",
                        versions)),
                meta);
    }

    private static List<Job> versions(ClusterState state, JobRow job) {
        return new ListOfViews<>(state.versionsOf(job).reversed(), row -> JobView.version(state, row));
    }

    /**
     * What a person wrote for a job; empty if it is not kept.
     *
     * @param version of the job; the newest if absent
     */
    public Answer<Optional<JobSubmission>> submission(ReadQuery query, String id, OptionalLong version)
            throws Refused, Trouble, InterruptedException {
        Reading reading = readings.read(query, VERSION);
        ClusterState state = reading.state();
        return new Answer<>(
                state.job(new JobId(query.namespace(), id))
                        .flatMap(job -> find(state, job, version))
                        .flatMap(SourceView::of),
                reading.meta());
    }

    private static Optional<JobVersionRow> find(ClusterState state, JobRow job, OptionalLong version) {
        return state.versionsOf(job).stream()
                .filter(row -> row.number() == version.orElse(job.number()))
                .findFirst();
    }

    private static Job version(String id, List<Job> versions, long wanted) throws Refused {
        for (Job job : versions) {
            if (Objects.equals(job.Version(), wanted)) {
                return job;
            }
        }
        throw new Refused(new Refusal.Invalid("job "
                + TextRule.quoted(id)
                + " has no version "
                + wanted
                + " to compare with; it has "
                + versions.stream().map(Job::Version).toList()));
    }

    private static List<JobDiff> diffs(String id, List<Job> newestFirst, OptionalLong against) throws Refused {
        Meter meter = new Meter(Diffs.LIMITS);
        List<JobDiff> diffs = new ArrayList<>();
        if (against.isPresent()) {
            Job old = version(id, newestFirst, against.getAsLong());
            for (Job job : newestFirst) {
                if (!Objects.equals(job.Version(), old.Version())) {
                    diffs.add(JobDiffs.between(old, job, meter));
                }
            }
            return diffs;
        }
        for (int i = 0; i + 1 < newestFirst.size(); i++) {
            diffs.add(JobDiffs.between(newestFirst.get(i + 1), newestFirst.get(i), meter));
        }
        return diffs;
    }

    /** Says whether a version is one to go back to. */
    public Answer<JobStabilityResponse> stable(WriteQuery query, String id, JobStabilityRequest request)
            throws Refused, Trouble, InterruptedException {
        long version = requests.jobs()
                .markStable(
                        new JobId(query.namespace(), id), request.JobVersion(), request.Stable(), requests.deadline())
                .version();
        return new Answer<>(new JobStabilityResponse(version, version), AnswerMeta.ofLeader(version));
    }

    /** Gives a version a tag, or changes the description of the one that it has. */
    public Answer<JobTagResponse> tag(WriteQuery query, String id, String name, JobTagRequest request)
            throws Refused, Trouble, InterruptedException {
        VersionTags.requireFit(name, request.Description());
        return VersionTags.answer(requests.jobs()
                .tag(
                        new TagJobVersion(
                                new JobId(query.namespace(), id),
                                name,
                                new TagJobVersion.Given(request.Version(), request.Description())),
                        requests.deadline()));
    }

    /** Takes a tag away. */
    public Answer<JobTagResponse> untag(WriteQuery query, String id, String name)
            throws Refused, Trouble, InterruptedException {
        return VersionTags.answer(requests.jobs()
                .tag(new TagJobVersion(new JobId(query.namespace(), id), name, null), requests.deadline()));
    }
}
