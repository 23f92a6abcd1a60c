package io.cleat.clusterapi.jobs;

import io.cleat.api.Answer;
import io.cleat.api.AnswerMeta;
import io.cleat.api.Canonical;
import io.cleat.api.Faults;
import io.cleat.api.Job;
import io.cleat.api.JobConversion;
import io.cleat.api.JobParseRequest;
import io.cleat.api.JobPlanRequest;
import io.cleat.api.JobPlanResponse;
import io.cleat.api.JobValidateRequest;
import io.cleat.api.JobValidateResponse;
import io.cleat.api.JobValidation;
import io.cleat.base.Ids;
import io.cleat.base.Refused;
import io.cleat.base.Time;
import io.cleat.base.Trouble;
import io.cleat.clusterapi.query.Readings;
import io.cleat.http.WriteQuery;
import io.cleat.model.JobSpec;
import io.cleat.server.intake.Requests;
import java.util.List;

/**
 * Jobs that requests bring and that are not stored: parsed, validated, planned. No more of them are worked on at once
 * than {@link JobParsing} has places.
 */
public final class JobDrafts {
    private final Readings readings;
    private final Requests requests;
    private final Ids ids;
    private final JobParsing parsing;

    public JobDrafts(Readings readings, Requests requests, Time time, Ids ids) {
        this.readings = readings;
        this.requests = requests;
        this.ids = ids;
        this.parsing = new JobParsing(time, ids);
    }

    /** What registering the job would do. The request has a job with this id. */
    public Answer<JobPlanResponse> plan(WriteQuery query, String id, JobPlanRequest request)
            throws Refused, Trouble, InterruptedException {
        Job job = JobText.given(request.Job());
        try (JobParsing.Place _ = parsing.place()) {
            JobSpec spec = JobText.checked(job, query.namespace());
            JobPlanResponse plan =
                    new RehearsalView(requests.jobs().plan(spec, null, 0)).answer(request.Diff(), ids.next());
            return new Answer<>(plan, AnswerMeta.ofLeader(plan.Index()));
        }
    }

    /** All faults of a job; a faulty job is an answer, not a refusal. The request has a job. */
    public JobValidateResponse validate(WriteQuery query, JobValidateRequest request)
            throws Refused, Trouble, InterruptedException {
        Job given = JobText.given(request.Job());
        Job job;
        List<String> faults;
        try (JobParsing.Place _ = parsing.place()) {
            job = Canonical.stored(JobText.inNamespace(given, query.namespace()));
            faults = JobValidation.faults(job);
        }
        if (!faults.isEmpty()) {
            return new JobValidateResponse(true, Faults.render(faults), faults, "");
        }
        List<String> warnings = JobWarnings.of(readings.images().read(true), JobConversion.toSpec(job));
        return new JobValidateResponse(true, "", null, String.join("\n", warnings));
    }

    /** The job of a job file; with nulls for what the file does not say, unless canonicalised. */
    public Job parse(JobParseRequest request) throws Refused {
        return parsing.parse(request);
    }
}
