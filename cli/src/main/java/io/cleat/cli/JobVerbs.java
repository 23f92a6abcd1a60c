package io.cleat.cli;

import io.cleat.api.AllocationStub;
import io.cleat.api.CleatClient;
import io.cleat.api.Deployment;
import io.cleat.api.Evaluation;
import io.cleat.api.Job;
import io.cleat.api.JobDeregisterResponse;
import io.cleat.api.JobStub;
import io.cleat.api.JobSubmission;
import io.cleat.api.JobsClient;
import io.cleat.api.Params;
import io.cleat.api.UnexpectedAnswer;
import io.cleat.base.LinkTrouble;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What can be asked about registered jobs, and done to them. */
final class JobVerbs {
    private static final Flag YES = Flag.yes("yes", "Do not ask.");

    private JobVerbs() {}

    static List<Verb> all() {
        return List.of(
                Verb.named("job status", "List jobs, or show one")
                        .takes(0, 1, "[job]")
                        .about("Without an argument lists jobs; with an id, or the beginning of one,"
                                + " shows that job, its allocations, and what it waits for if"
                                + " it could not be placed.")
                        .flags(
                                Flag.SHORT,
                                Flag.VERBOSE,
                                Flag.yes("evals", "Also list its evaluations."),
                                Flag.yes("all-allocs", "Also allocations of an earlier job of the same id."),
                                Flag.JSON,
                                Flag.TEMPLATE)
                        .examples("cleat job status", "cleat job status -evals web")
                        .does(JobVerbs::status),
                Verb.named("job inspect", "Print a job as it is stored")
                        .takes(1, 1, "<job>")
                        .about("Prints the job as JSON, with every default filled in; with -hcl as it was"
                                + " written, where the servers keep that.")
                        .flags(
                                Flag.yes("hcl", "Print what was written for it."),
                                Flag.value("version", "number", "Not the newest, but this version."),
                                Flag.JSON,
                                Flag.TEMPLATE)
                        .examples("cleat job inspect web", "cleat job inspect -hcl -version=2 web")
                        .does(JobVerbs::inspect),
                Verb.named("job eval", "Evaluate a job though nothing has changed")
                        .takes(1, 1, "<job>")
                        .about("Has the scheduler look at a job again and watches what comes of it. With"
                                + " -force-reschedule its failed allocations are rescheduled"
                                + " now, though their policy would wait or has given up.")
                        .flags(
                                Flag.DETACH,
                                Flag.yes("force-reschedule", "Place failed allocations anew, whatever their policy."),
                                Flag.VERBOSE)
                        .examples("cleat job eval web", "cleat job eval -force-reschedule web")
                        .does(JobVerbs::evaluate),
                Verb.named("job stop", "Stop a job")
                        .takes(1, 1, "<job>")
                        .about("Stops a job's allocations and watches the evaluation that does it. With"
                                + " only the beginning of an id given on a terminal, asks"
                                + " first.")
                        .flags(
                                Flag.DETACH,
                                Flag.yes("purge", "Also forget the job."),
                                Flag.yes("force", "Stop it though others use volumes of the plugin it runs."),
                                Flag.yes("no-shutdown-delay", "Stop the tasks without their shutdown delay."),
                                Flag.value(
                                        "eval-priority",
                                        "number",
                                        "The evaluation's priority, 1 to 100; the job's by default."),
                                YES,
                                Flag.VERBOSE)
                        .examples("cleat job stop web", "cleat job stop -purge -detach web")
                        .does(JobVerbs::stop));
    }

    private static int evaluate(Call call) throws Failure, UnexpectedAnswer, LinkTrouble, InterruptedException {
        JobStub found = find(call, call.argument(0));
        CleatClient client = call.clientIn(found.Namespace());
        String evaluation = client.jobs()
                .evaluate(found.ID(), call.flags().has("force-reschedule"), Params.none())
                .body()
                .EvalID();
        if (call.flags().has(Flag.DETACH)) {
            call.out("Created eval ID: \"" + call.id(evaluation) + "\"");
            return 0;
        }
        return new Monitor(call, client).watch(evaluation);
    }

    private static int status(Call call) throws Failure, UnexpectedAnswer, LinkTrouble {
        if (call.argument().isEmpty()) {
            List<JobStub> jobs = call.client().jobs().list(Params.none()).body();
            if (call.machine(jobs)) {
                return 0;
            }
            call.out(
                    jobs.isEmpty()
                            ? "No running jobs"
                            : JobView.list(jobs, call.connection().isAllNamespaces(), call.zone()));
            return 0;
        }
        JobStub found = find(call, call.argument(0));
        CleatClient client = call.clientIn(found.Namespace());
        Job job = client.jobs().get(found.ID(), Params.none()).body();
        if (call.machine(job)) {
            return 0;
        }
        call.out(JobView.summary(job, call.now(), call.zone()));
        if (call.flags().has(Flag.SHORT)) {
            return 0;
        }
        if (LaunchView.launches(job)) {
            LaunchVerbs.status(call, client, job);
            return 0;
        }
        call.section(
                "Summary",
                JobView.counts(client.jobs().summary(job.ID(), Params.none()).body()));
        List<Evaluation> evaluations =
                client.jobs().evaluations(job.ID(), Params.none()).body();
        if ((call.isVerbose() || call.flags().has("evals")) && !evaluations.isEmpty()) {
            call.section("Evaluations", JobView.evaluations(evaluations, call.isVerbose()));
        }
        placementFailure(call, evaluations);
        Optional<Deployment> deployment = client.jobs().deployment(job.ID(), Params.none());
        if (deployment.isPresent()) {
            call.section("Latest Deployment", DeploymentView.summary(deployment.get(), call.isVerbose()));
            call.section("Deployed", DeploymentView.groups(deployment.get(), call.zone()));
        }
        List<AllocationStub> allocations = client.jobs()
                .allocations(job.ID(), call.flags().has("all-allocs"), Params.none())
                .body();
        call.section("Allocations", AllocationsView.table(allocations, call.isVerbose(), call.now()));
        String waiting = Waits.ofPending(call, client, allocations);
        if (!waiting.isEmpty()) {
            call.section("Waiting To Start", waiting);
        }
        return 0;
    }

    /**
     * What the job waits for, if its blocked evaluation has not been worked off since; or that no node takes it, of a
     * system job that waits for nothing.
     */
    private static void placementFailure(Call call, List<Evaluation> evaluations)
            throws Failure, UnexpectedAnswer, LinkTrouble {
        Optional<Evaluation> blocked = evaluations.stream()
                .filter(one -> one.Status().equals("blocked"))
                .max(Comparator.comparingLong(Evaluation::CreateIndex));
        if (blocked.isEmpty()) {
            evaluations.stream()
                    .max(Comparator.comparingLong(Evaluation::CreateIndex))
                    .filter(newest -> newest.Status().equals("complete"))
                    .ifPresent(newest -> call.section("Not Placed", newest.StatusDescription()));
            return;
        }
        Optional<Evaluation> failed = evaluations.stream()
                .filter(one ->
                        one.FailedTGAllocs() != null && !one.FailedTGAllocs().isEmpty())
                .max(Comparator.comparingLong(Evaluation::CreateIndex));
        failed.ifPresent(one -> call.section(
                "Placement Failure",
                String.join(
                        "\n",
                        MetricView.failures(one.FailedTGAllocs() == null ? Map.of() : one.FailedTGAllocs(), ""))));
        call.section("Waiting", Waits.of(call, blocked.get()));
    }

    private static int inspect(Call call) throws Failure, UnexpectedAnswer, LinkTrouble {
        JobStub found = find(call, call.argument(0));
        JobsClient jobs = call.clientIn(found.Namespace()).jobs();
        Optional<String> version = call.flags().value("version");
        if (call.flags().has("hcl")) {
            return source(call, jobs, found.ID(), version);
        }
        Job job = version.isEmpty()
                ? jobs.get(found.ID(), Params.none()).body()
                : VersionVerbs.version(jobs, found.ID(), version.get());
        Map<String, Job> wrapped = Map.of("Job", job);
        if (!call.flags().value(Flag.TEMPLATE.name()).isPresent()) {
            call.json(wrapped);
            return 0;
        }
        call.machine(job);
        return 0;
    }

    private static int source(Call call, JobsClient jobs, String id, Optional<String> version)
            throws Failure, UnexpectedAnswer, LinkTrouble {
        JobSubmission source;
        try {
            source = jobs.submission(id, Params.none().with("version", version.orElse("")));
        } catch (UnexpectedAnswer missing) {
            if (missing.status() != 404) {
                throw missing;
            }
            throw new Failure("what was written for job \""
                    + id
                    + "\" is not known: it came over the API without it, or is too large to"
                    + " be kept; without -hcl the job is printed as it is stored");
        }
        source.VariableFlags().forEach((name, value) -> call.say("It was given -var=" + name + "=" + value));
        if (!source.Variables().isEmpty()) {
            call.say("It was given files of variables:\n" + source.Variables().stripTrailing());
        }
        call.text(source.Source().stripTrailing());
        return 0;
    }

    private static int stop(Call call)
            throws Failure, UnexpectedAnswer, LinkTrouble, InterruptedException, IOException {
        String given = call.argument(0);
        JobStub found = find(call, given);
        if (!found.ID().equals(given)
                && !call.flags().has(YES)
                && call.environment().terminal().canAsk()
                && !Question.yes(call, "Are you sure you want to stop job \"" + found.ID() + "\"?")) {
            throw new Failure("not confirmed: nothing was changed");
        }
        CleatClient client = call.clientIn(found.Namespace());
        JobDeregisterResponse stopped = client.jobs()
                .deregister(
                        found.ID(),
                        call.flags().has("purge"),
                        call.flags().has("no-shutdown-delay"),
                        Params.none()
                                .with("force", call.flags().has("force"))
                                .with(
                                        "eval_priority",
                                        call.flags().value("eval-priority").orElse("")))
                .body();
        if (stopped.EvalID().isEmpty()) {
            return 0;
        }
        if (call.flags().has(Flag.DETACH)) {
            call.out(stopped.EvalID());
            return 0;
        }
        return new Monitor(call, client).watch(stopped.EvalID());
    }

    static JobStub find(Call call, String given) throws Failure, UnexpectedAnswer, LinkTrouble {
        return Prefix.one(
                "job",
                given,
                call.client().jobs().list(Params.none().prefix(given)).body(),
                JobStub::ID,
                jobs -> JobView.list(jobs, true, call.zone()));
    }
}
