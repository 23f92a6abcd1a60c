package io.cleat.clusterapi.jobs;

import io.cleat.api.Evaluation;
import io.cleat.api.Job;
import io.cleat.api.JobDiff;
import io.cleat.api.JobPlanResponse;
import io.cleat.base.Refused;
import io.cleat.clusterapi.evaluations.EvaluationView;
import io.cleat.clusterapi.evaluations.MetricView;
import io.cleat.clusterapi.evaluations.PlannedView;
import io.cleat.model.CronTimes;
import io.cleat.model.JobLaunch;
import io.cleat.schedule.Plan;
import io.cleat.server.intake.JobRequests;
import io.cleat.state.ClusterState;
import io.cleat.state.EvaluationRow;
import io.cleat.state.EvaluationStatus;
import io.cleat.state.JobRow;
import io.cleat.state.Trigger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What registering a job would do, as the API shows it. */
final class RehearsalView {
    private final ClusterState before;
    private final ClusterState after;
    private final EvaluationRow evaluation;
    private final Plan plan;

    RehearsalView(JobRequests.Planned planned) {
        before = planned.before();
        after = planned.after();
        evaluation = planned.evaluation();
        plan = planned.plan();
    }

    /**
     * @param evalId of the evaluation that would wait
     * @throws Refused comparing the job with the stored one takes too much work
     */
    JobPlanResponse answer(boolean withDiff, String evalId) throws Refused {
        Optional<JobRow> stored = before.job(evaluation.job());
        return new JobPlanResponse(
                PlannedView.of(plan.counts()),
                plan.isComplete() ? null : List.of(blocked(evalId)),
                withDiff ? diff(stored) : null,
                MetricView.byGroup(plan.failed()),
                before.version(),
                stored.map(JobRow::jobModifyVersion).orElse(0L),
                next(job().spec().launch()),
                warnings());
    }

    private String warnings() {
        List<String> warnings = new ArrayList<>(JobWarnings.of(before, job().spec()));
        if (!plan.note().isEmpty()) {
            warnings.add(plan.note());
        }
        return String.join("\n", warnings);
    }

    private @Nullable Instant next(@Nullable JobLaunch launch) {
        return launch instanceof JobLaunch.Periodic periodic && periodic.enabled()
                ? CronTimes.next(periodic, evaluation.stamps().createdAt()).orElse(null)
                : null;
    }

    private Evaluation blocked(String evalId) {
        Instant now = evaluation.stamps().createdAt();
        return EvaluationView.of(
                EvaluationRow.pending(evalId, job(), evaluation.asked().priority(), Trigger.QUEUED_ALLOCS, "", now)
                        .status(EvaluationStatus.BLOCKED, "created to place remaining allocations", now)
                        .previousEval(evaluation.id())
                        .failedGroups(plan.failed())
                        .blockedOn(plan.blockedOn(), plan.blockedOnAny(), plan.blockedBy()));
    }

    private JobRow job() {
        return after.job(evaluation.job()).orElseThrow();
    }

    private JobDiff diff(Optional<JobRow> stored) throws Refused {
        Job old = stored.map(row -> JobView.job(before, row)).orElse(null);
        return JobDiffs.planned(old, JobView.job(after, job()), plan.counts());
    }
}
