package io.cleat.cli;

import io.cleat.api.DesiredUpdates;
import io.cleat.api.JobPlanResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What a registration would do, as text. */
final class PlanView {
    private PlanView() {}

    /** The scheduler's answer. */
    static String dryRun(JobPlanResponse plan) {
        List<String> lines = new ArrayList<>(List.of("Scheduler dry-run:"));
        var failed = plan.FailedTGAllocs();
        if (failed == null || failed.isEmpty()) {
            lines.add("- All tasks successfully allocated.");
        } else {
            lines.add("- WARNING: Failed to place all allocations.");
            lines.addAll(MetricView.failures(failed, "  "));
        }
        if (!plan.Warnings().isEmpty()) {
            lines.add("- " + plan.Warnings());
        }
        return String.join("\n", lines);
    }

    /** How to submit exactly what was planned. */
    static String submission(JobPlanResponse plan, String file) {
        return """
        Job Modify Index: %d
        To submit the job as planned, and only if nobody changed it meanwhile:

        cleat job run -check-index %d %s""".formatted(plan.JobModifyIndex(), plan.JobModifyIndex(), file);
    }

    /** Whether anything would be made, stopped, moved or updated. */
    static boolean isChange(JobPlanResponse plan) {
        Map<String, DesiredUpdates> updates =
                plan.Annotations() == null || plan.Annotations().DesiredTGUpdates() == null
                        ? Map.of()
                        : plan.Annotations().DesiredTGUpdates();
        return (plan.Diff() != null && !plan.Diff().Type().equals("None"))
                || updates.values().stream().anyMatch(PlanView::isChange);
    }

    private static boolean isChange(DesiredUpdates updates) {
        return updates.Canary()
                        + updates.DestructiveUpdate()
                        + updates.InPlaceUpdate()
                        + updates.Migrate()
                        + updates.Place()
                        + updates.Preemptions()
                        + updates.RescheduleLater()
                        + updates.RescheduleNow()
                        + updates.Stop()
                > 0;
    }
}
