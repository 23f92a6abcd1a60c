package io.cleat.cli;

import io.cleat.api.Evaluation;
import io.cleat.api.PlanAnnotations;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Evaluations as text. */
final class EvaluationView {
    private EvaluationView() {}

    static String list(List<Evaluation> evaluations, boolean verbose) {
        Columns columns =
                new Columns("ID", "Priority", "Triggered By", "Job ID", "Namespace", "Status", "Placement Failures");
        evaluations.stream()
                .sorted(Comparator.comparingLong(Evaluation::CreateIndex)
                        .reversed()
                        .thenComparing(Evaluation::ID))
                .forEach(one -> columns.row(
                        Human.id(one.ID(), verbose),
                        Integer.toString(one.Priority()),
                        one.TriggeredBy(),
                        one.JobID(),
                        one.Namespace(),
                        one.Status(),
                        placementFailures(one)));
        return columns.text();
    }

    static String summary(Evaluation one, boolean verbose, Instant now) {
        return new Rows()
                .put("ID", Human.id(one.ID(), verbose))
                .put("Create Time", Human.ago(one.CreateTime(), now))
                .put("Modify Time", Human.ago(one.ModifyTime(), now))
                .put("Status", one.Status())
                .put("Status Description", one.StatusDescription().isEmpty() ? one.Status() : one.StatusDescription())
                .put("Type", one.Type())
                .put("TriggeredBy", one.TriggeredBy())
                .put("Job ID", one.JobID())
                .put("Namespace", one.Namespace())
                .put("Node ID", Human.id(one.NodeID(), verbose))
                .put("Priority", one.Priority())
                .put("Placement Failures", placementFailures(one))
                .put("Previous Eval", Human.id(one.PreviousEval(), verbose))
                .put("Next Eval", Human.id(one.NextEval(), verbose))
                .put("Blocked Eval", Human.id(one.BlockedEval(), verbose))
                .text();
    }

    /** What its plan did, by group; empty before. */
    static String planned(Evaluation one) {
        PlanAnnotations annotations = one.PlanAnnotations();
        if (annotations == null || annotations.DesiredTGUpdates() == null) {
            return "";
        }
        Columns columns = new Columns(
                "Task Group",
                "Ignore",
                "Place",
                "Stop",
                "InPlaceUpdate",
                "DestructiveUpdate",
                "Migrate",
                "Canary",
                "Preemptions");
        annotations.DesiredTGUpdates()
                .forEach((group, does) -> columns.row(
                        group,
                        Long.toString(does.Ignore()),
                        Long.toString(does.Place()),
                        Long.toString(does.Stop()),
                        Long.toString(does.InPlaceUpdate()),
                        Long.toString(does.DestructiveUpdate()),
                        Long.toString(does.Migrate()),
                        Long.toString(does.Canary()),
                        Long.toString(does.Preemptions())));
        return columns.text();
    }

    /** What could not be placed and why; empty when all was placed. */
    static String failures(Evaluation one, boolean verbose) {
        if (one.FailedTGAllocs() == null || one.FailedTGAllocs().isEmpty()) {
            return "";
        }
        List<String> lines = new ArrayList<>(MetricView.failures(one.FailedTGAllocs(), ""));
        if (!one.BlockedEval().isEmpty()) {
            lines.add("\nEvaluation \"%s\" waiting for additional capacity to place remainder"
                    .formatted(Human.id(one.BlockedEval(), verbose)));
        }
        return String.join("\n", lines);
    }

    /** {@code true} or {@code false}; unknown until the evaluation was worked on. */
    static String placementFailures(Evaluation one) {
        boolean failed = one.FailedTGAllocs() != null && !one.FailedTGAllocs().isEmpty();
        return switch (one.Status()) {
            case "blocked" -> "N/A - In Progress";
            case "pending" -> failed ? "true" : "N/A - In Progress";
            default -> Boolean.toString(failed);
        };
    }
}
