package io.cleat.server.decide;

import io.cleat.base.Refusal;
import io.cleat.base.TextRule;
import io.cleat.model.JobId;
import io.cleat.model.JobLaunch;
import io.cleat.model.JobSpec;
import io.cleat.state.Change;
import io.cleat.state.ClusterState;
import io.cleat.state.EvaluationRow;
import io.cleat.state.JobRow;
import io.cleat.state.JobStatus;
import io.cleat.state.Trigger;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** Children of jobs that run at their times, or when somebody asks for one. */
final class ChildJobs {
    private ChildJobs() {}

    /** A job stays what it is: what runs of it would belong to nobody, or wait for a time. */
    static Optional<Refusal> changed(Optional<JobRow> known, JobSpec wanted) {
        if (known.isEmpty()) {
            return Optional.empty();
        }
        JobLaunch before = known.get().spec().launch();
        JobLaunch after = wanted.launch();
        return changed("periodic", before instanceof JobLaunch.Periodic, after instanceof JobLaunch.Periodic)
                .or(() -> changed(
                        "parameterized",
                        before instanceof JobLaunch.Parameterized,
                        after instanceof JobLaunch.Parameterized))
                .or(() -> before instanceof JobLaunch.Child && !before.equals(after)
                        ? Optional.of(refusal(wanted.id()))
                        : Optional.empty());
    }

    private static Optional<Refusal> changed(String what, boolean was, boolean is) {
        if (was == is) {
            return Optional.empty();
        }
        return Optional.of(new Refusal.Invalid(
                was
                        ? "cannot update " + what + " job to being non-" + what + ": stop it with -purge first"
                        : "cannot update non-" + what + " job to being " + what + ": stop it with -purge first"));
    }

    private static Refusal refusal(JobId id) {
        return new Refusal.Invalid("job "
                + TextRule.quoted(id.id())
                + " is a copy that another job had run: change that one, or use another id");
    }

    /** Of a job that has copies of itself run there is nothing to evaluate. */
    static Optional<Refusal> notEvaluated(JobRow job) {
        return job.spec().launch() instanceof JobLaunch.Periodic
                ? Optional.of(new Refusal.Invalid(
                        "can't evaluate periodic job: have it run now with: cleat job periodic force "
                                + job.id().id()))
                : job.spec().launchesChildren()
                        ? Optional.of(new Refusal.Invalid(
                                "can't evaluate parameterized job: have it run with: cleat job dispatch "
                                        + job.id().id()))
                        : Optional.empty();
    }

    /** The id of the copy for a time, of which there may be one. */
    static String idAt(JobId job, Instant time) {
        return job.id() + "/periodic-" + time.getEpochSecond();
    }

    static JobSpec at(JobSpec job, String copyId) {
        return job.child(
                copyId, job.priority(), Map.of(), new JobLaunch.Child(job.id().id(), false, ""));
    }

    static boolean isAnyAlive(ClusterState state, JobId job) {
        return state.childrenOf(job).stream().anyMatch(copy -> state.jobStatus(copy) != JobStatus.DEAD);
    }

    /** Stores a copy and has it evaluated. */
    static RegisterJob.Reply run(Work work, JobSpec copy, Trigger trigger, String evalId) {
        work.add(new Change.JobPut(new JobRow(copy, 0, false, work.now(), 0, 0, 0)));
        JobRow job = work.state().job(copy.id()).orElseThrow();
        work.add(
                new Change.EvaluationPut(EvaluationRow.pending(evalId, job, copy.priority(), trigger, "", work.now())));
        return new RegisterJob.Reply(evalId, work.version(), job.jobModifyVersion());
    }
}
