package io.cleat.cli;

import io.cleat.api.CleatClient;
import io.cleat.api.EvalDeleteRequest;
import io.cleat.api.EvalDeleteResponse;
import io.cleat.api.Evaluation;
import io.cleat.api.EvaluationsClient;
import io.cleat.api.Params;
import io.cleat.api.UnexpectedAnswer;
import io.cleat.base.LinkTrouble;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** What can be asked about evaluations. */
final class EvaluationVerbs {
    private static final String FILTER = "filter";

    private EvaluationVerbs() {}

    static List<Verb> all() {
        return List.of(
                Verb.named("eval list", "List evaluations")
                        .about("Lists evaluations, newest first.")
                        .flags(
                                Flag.value("job", "id", "Only those of this job."),
                                Flag.value(
                                        "status",
                                        "word",
                                        "Only those that are pending, blocked, complete, failed or canceled."),
                                Flag.VERBOSE,
                                Flag.JSON,
                                Flag.TEMPLATE)
                        .examples("cleat eval list", "cleat eval list -status=blocked")
                        .does(EvaluationVerbs::list),
                Verb.named("eval delete", "Delete evaluations that nothing needs")
                        .takes(0, 1, "[evaluation]")
                        .about("Deletes one evaluation, or with -filter all that fit. One that has"
                                + " ended is needed while an allocation is known that it"
                                + " placed, and one that is open while nothing else does"
                                + " what it is for: one that is named is then refused, and"
                                + " those that fit are left.")
                        .flags(
                                Flag.value(
                                        FILTER,
                                        "expression",
                                        "Delete those that fit, such as 'Status == \"complete\"'."),
                                Flag.yes("yes", "Do not ask before those that fit are deleted."),
                                Flag.JSON,
                                Flag.TEMPLATE)
                        .examples(
                                "cleat eval delete 3edf3d51", "cleat eval delete -yes -filter='Status == \"canceled\"'")
                        .does(EvaluationVerbs::delete),
                Verb.named("eval status", "Show one evaluation")
                        .takes(1, 1, "<evaluation>")
                        .about("Shows an evaluation, what it could not place, and why.")
                        .flags(
                                Flag.yes("monitor", "Watch it until it is finished."),
                                Flag.VERBOSE,
                                Flag.JSON,
                                Flag.TEMPLATE)
                        .examples("cleat eval status 3edf3d51")
                        .does(EvaluationVerbs::status));
    }

    private static int list(Call call) throws Failure, UnexpectedAnswer, LinkTrouble {
        List<Evaluation> found = call.client()
                .evaluations()
                .list(Params.none()
                        .with("job", call.flags().value("job").orElse(""))
                        .with("status", call.flags().value("status").orElse("")))
                .body();
        if (!call.machine(found)) {
            call.out(found.isEmpty() ? "No evals found" : EvaluationView.list(found, call.isVerbose()));
        }
        return 0;
    }

    private static int delete(Call call) throws Failure, UnexpectedAnswer, LinkTrouble, IOException {
        Optional<String> filter = call.flags().value(FILTER);
        if (filter.isPresent() != call.argument().isEmpty()) {
            throw new Failure("name one evaluation, or give -filter", "nothing was deleted; see cleat eval delete -h");
        }
        EvaluationsClient evaluations = call.client().evaluations();
        EvalDeleteResponse done;
        if (filter.isEmpty()) {
            done = evaluations.delete(new EvalDeleteRequest(List.of(find(call, call.argument(0))), ""), Params.none());
        } else {
            long count =
                    evaluations.count(Params.none().with(FILTER, filter.get())).Count();
            if (!isMeant(call, count)) {
                call.say("Nothing was deleted");
                return 0;
            }
            done = evaluations.delete(new EvalDeleteRequest(null, filter.get()), Params.none());
        }
        if (call.machine(done)) {
            return 0;
        }
        call.out("Successfully deleted " + evaluations(done.Count()));
        if (done.Kept() > 0) {
            call.out("Left " + evaluations(done.Kept()) + " that something needs");
        }
        return 0;
    }

    private static boolean isMeant(Call call, long count) throws Failure, IOException {
        if (count == 0 || call.flags().has("yes")) {
            return true;
        }
        if (!call.environment().terminal().canAsk()) {
            throw new Failure(
                    "this would delete " + evaluations(count) + ", and there is no terminal to ask on",
                    "to go on: -yes");
        }
        return Question.yes(call, "Delete " + evaluations(count) + ", but for those needed?");
    }

    private static String evaluations(long count) {
        return count + (count == 1 ? " evaluation" : " evaluations");
    }

    private static int status(Call call) throws Failure, UnexpectedAnswer, LinkTrouble, InterruptedException {
        String id = find(call, call.argument(0));
        CleatClient client = call.client();
        if (call.flags().has("monitor")) {
            return new Monitor(call, client).watch(id);
        }
        Evaluation one = client.evaluations().get(id, false, Params.none()).body();
        if (call.machine(one)) {
            return 0;
        }
        call.out(EvaluationView.summary(one, call.isVerbose(), call.now()));
        call.section("Plan Annotations", EvaluationView.planned(one));
        call.section("Failed Placements", EvaluationView.failures(one, call.isVerbose()));
        if (one.Status().equals("blocked")) {
            call.section("Waiting", Waits.of(call, one));
        } else if (!one.BlockedEval().isEmpty()) {
            call.section(
                    "Waiting",
                    Waits.of(
                            call,
                            client.evaluations()
                                    .get(one.BlockedEval(), false, Params.none())
                                    .body()));
        }
        return 0;
    }

    private static String find(Call call, String given) throws Failure, UnexpectedAnswer, LinkTrouble {
        return Prefix.isWholeUuid(given)
                ? given
                : Prefix.one(
                                "evaluation",
                                given,
                                call.client()
                                        .evaluations()
                                        .list(Params.none().prefix(Prefix.ofUuid(given)))
                                        .body(),
                                Evaluation::ID,
                                found -> EvaluationView.list(found, true))
                        .ID();
    }
}
