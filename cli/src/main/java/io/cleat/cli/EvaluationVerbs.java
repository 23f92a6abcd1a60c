package io.cleat.cli;

import io.cleat.api.CleatClient;
import io.cleat.api.Evaluation;
import io.cleat.api.Params;
import io.cleat.api.UnexpectedAnswer;
import io.cleat.base.LinkTrouble;
import java.util.List;

/** What can be asked about evaluations. */
final class EvaluationVerbs {
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
                                        "Only those that are pending, blocked, complete, failed or"
                                                + " canceled."),
                                Flag.VERBOSE,
                                Flag.JSON,
                                Flag.TEMPLATE)
                        .examples("cleat eval list", "cleat eval list -status=blocked")
                        .does(EvaluationVerbs::list),
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
        List<Evaluation> found =
                call.client()
                        .evaluations()
                        .list(
                                Params.none()
                                        .with("job", call.flags().value("job").orElse(""))
                                        .with("status", call.flags().value("status").orElse("")))
                        .body();
        if (!call.machine(found)) {
            call.out(
                    found.isEmpty()
                            ? "No evals found"
                            : EvaluationView.list(found, call.isVerbose()));
        }
        return 0;
    }

    private static int status(Call call)
            throws Failure, UnexpectedAnswer, LinkTrouble, InterruptedException {
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

    private static String find(Call call, String given)
            throws Failure, UnexpectedAnswer, LinkTrouble {
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
