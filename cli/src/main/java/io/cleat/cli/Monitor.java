package io.cleat.cli;

import io.cleat.api.AllocationStub;
import io.cleat.api.CleatClient;
import io.cleat.api.Evaluation;
import io.cleat.api.Params;
import io.cleat.api.UnexpectedAnswer;
import io.cleat.base.LinkTrouble;
import io.cleat.base.VisibleText;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/** Watches one evaluation and prints what changes, until it is finished. */
final class Monitor {
    /** Soon enough to look live, and a local agent answers in a millisecond. */
    private static final Duration FIRST_WAIT = Duration.ofMillis(100);

    private static final Duration LONGEST_WAIT = Duration.ofSeconds(1);

    private final Call call;
    private final CleatClient client;
    private final Map<String, String> statuses = new HashMap<>();

    Monitor(Call call, CleatClient client) {
        this.call = call;
        this.client = client;
    }

    /**
     * Watches evaluation {@code id}.
     *
     * @return 0, 1 when it failed, or {@link ExitCodes#NOT_PLACED}
     */
    int watch(String id) throws Failure, UnexpectedAnswer, LinkTrouble, InterruptedException {
        head("Monitoring evaluation \"" + call.id(id) + "\"");
        String status = "pending";
        String why = "";
        boolean triggered = false;
        Duration wait = FIRST_WAIT;
        while (true) {
            Evaluation evaluation =
                    client.evaluations().get(id, false, Params.none()).body();
            if (!triggered) {
                triggered = true;
                line("Evaluation triggered by " + trigger(evaluation));
            }
            allocations(id);
            if (!evaluation.Status().equals(status)) {
                line("Evaluation status changed: \"%s\" -> \"%s\"".formatted(status, evaluation.Status()));
                status = evaluation.Status();
            }
            if (isFinished(status)) {
                return finished(evaluation);
            }
            if (!evaluation.StatusDescription().equals(why)) {
                why = evaluation.StatusDescription();
                line(why);
            }
            call.time().sleep(wait);
            wait = wait.plus(wait).compareTo(LONGEST_WAIT) < 0 ? wait.plus(wait) : LONGEST_WAIT;
        }
    }

    /** As {@link #watch}, and then the deployment that the evaluation made or goes on with. */
    int watchDeployed(String id) throws Failure, UnexpectedAnswer, LinkTrouble, InterruptedException {
        int code = watch(id);
        String deployment =
                client.evaluations().get(id, false, Params.none()).body().DeploymentID();
        return code != 0 || deployment.isEmpty() ? code : new DeploymentMonitor(call, client).watch(deployment);
    }

    private static boolean isFinished(String status) {
        return switch (status) {
            case "complete", "failed", "canceled", "blocked" -> true;
            default -> false;
        };
    }

    private String trigger(Evaluation evaluation) {
        return switch (evaluation.TriggeredBy()) {
            case "node-update", "node-drain" -> "node \"" + call.id(evaluation.NodeID()) + "\"";
            case "job-register", "job-deregister", "" -> "job \"" + evaluation.JobID() + "\"";
            default -> "%s of job \"%s\"".formatted(evaluation.TriggeredBy(), evaluation.JobID());
        };
    }

    private void allocations(String id) throws UnexpectedAnswer, LinkTrouble {
        for (AllocationStub one :
                client.evaluations().allocations(id, Params.none()).body()) {
            String before = statuses.put(one.ID(), one.ClientStatus());
            if (before == null) {
                line("Allocation \"%s\" created: node \"%s\", group \"%s\""
                        .formatted(call.id(one.ID()), call.id(one.NodeID()), one.TaskGroup()));
            } else if (!before.equals(one.ClientStatus())) {
                line("Allocation \"%s\" status changed: \"%s\" -> \"%s\"%s"
                        .formatted(
                                call.id(one.ID()),
                                before,
                                one.ClientStatus(),
                                one.ClientDescription().isEmpty() ? "" : " (" + one.ClientDescription() + ")"));
            }
        }
    }

    private int finished(Evaluation evaluation) throws Failure, UnexpectedAnswer, LinkTrouble, InterruptedException {
        String finish = "Evaluation \"%s\" finished with status \"%s\""
                .formatted(call.id(evaluation.ID()), evaluation.Status());
        var failed = evaluation.FailedTGAllocs();
        if (failed == null || failed.isEmpty()) {
            head(finish);
            if (!evaluation.StatusDescription().isEmpty()) {
                line(evaluation.StatusDescription());
            }
            return evaluation.Status().equals("complete") ? next(evaluation) : 1;
        }
        head(finish + " but failed to place all allocations:");
        MetricView.failures(failed, "").forEach(this::line);
        boolean isBlocked = evaluation.Status().equals("blocked");
        String blocked = isBlocked ? evaluation.ID() : evaluation.BlockedEval();
        if (!blocked.isEmpty()) {
            line("Evaluation \"%s\" waiting for additional capacity to place remainder".formatted(call.id(blocked)));
            String waits = Waits.of(
                    call,
                    isBlocked
                            ? evaluation
                            : client.evaluations()
                                    .get(blocked, false, Params.none())
                                    .body());
            waits.lines().forEach(this::line);
        }
        next(evaluation);
        return ExitCodes.NOT_PLACED;
    }

    /** Goes on with the evaluation that follows by itself, if there is one. */
    private int next(Evaluation evaluation) throws Failure, UnexpectedAnswer, LinkTrouble, InterruptedException {
        if (evaluation.NextEval().isEmpty()) {
            return 0;
        }
        Evaluation next = client.evaluations()
                .get(evaluation.NextEval(), false, Params.none())
                .body();
        Instant start = next.WaitUntil() == null ? call.now() : next.WaitUntil();
        Duration wait = Duration.between(call.now(), start);
        if (wait.isPositive()) {
            line("Monitoring next evaluation \"%s\" in %s".formatted(call.id(next.ID()), Human.span(wait.toSeconds())));
            call.time().sleep(wait);
        }
        return watch(next.ID());
    }

    private void head(String text) {
        call.outNow("==> " + stamp() + ": " + VisibleText.line(text));
    }

    private void line(String text) {
        call.outNow("    " + stamp() + ": " + VisibleText.line(text));
    }

    private String stamp() {
        return Human.time(call.now(), call.zone());
    }
}
