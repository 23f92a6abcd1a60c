package io.cleat.cli;

import io.cleat.api.Evaluation;
import io.cleat.api.Job;
import io.cleat.api.JobStub;
import io.cleat.api.JobSummary;
import io.cleat.api.JobVersionTag;
import io.cleat.api.PeriodicConfig;
import io.cleat.base.VisibleText;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Jobs as text. */
final class JobView {
    private JobView() {}

    /** Jobs by id; with all namespaces asked for, each row says which one. */
    static String list(List<JobStub> jobs, boolean namespaces, ZoneId zone) {
        Columns columns = namespaces
                ? new Columns("ID", "Namespace", "Type", "Priority", "Status", "Submit Date")
                : new Columns("ID", "Type", "Priority", "Status", "Submit Date");
        jobs.stream()
                .sorted(Comparator.comparing(JobStub::ID).thenComparing(JobStub::Namespace))
                .forEach(one -> {
                    String priority = Integer.toString(one.Priority());
                    String status = status(one.Status(), one.Stop());
                    String submitted = Human.time(one.SubmitTime(), zone);
                    if (namespaces) {
                        columns.row(one.ID(), one.Namespace(), type(one), priority, status, submitted);
                    } else {
                        columns.row(one.ID(), type(one), priority, status, submitted);
                    }
                });
        return columns.text();
    }

    private static String type(JobStub job) {
        return job.Type() + (job.Periodic() ? "/periodic" : "") + (job.ParameterizedJob() ? "/parameterized" : "");
    }

    private static String status(String status, boolean stopped) {
        return stopped ? status + " (stopped)" : status;
    }

    static String summary(Job job, Instant now, ZoneId zone) {
        Rows rows = new Rows()
                .put("ID", job.ID())
                .put("Name", job.Name())
                .put("Submit Date", Human.time(orZero(job.SubmitTime()), zone))
                .put("Type", or(job.Type()))
                .put("Priority", job.Priority() == null ? "" : job.Priority().toString())
                .put("Datacenters", job.Datacenters() == null ? "" : String.join(",", job.Datacenters()))
                .put("Namespace", or(job.Namespace()))
                .put("Node Pool", or(job.NodePool()))
                .put("Status", status(or(job.Status()), Boolean.TRUE.equals(job.Stop())))
                .put("Periodic", job.Periodic() != null)
                .put("Parameterized", job.ParameterizedJob() != null);
        PeriodicConfig periodic = job.Periodic();
        if (periodic != null) {
            rows.put(
                    "Next Periodic Launch",
                    Boolean.TRUE.equals(job.Stop()) ? "none (job stopped)" : LaunchView.next(periodic, now, zone));
        }
        return rows.text();
    }

    static String version(Job job, ZoneId zone) {
        Rows rows = new Rows()
                .put("Version", job.Version() == null ? "" : job.Version().toString())
                .put("Stable", Boolean.TRUE.equals(job.Stable()))
                .put("Submit Date", Human.time(orZero(job.SubmitTime()), zone));
        JobVersionTag tag = job.VersionTag();
        if (tag != null) {
            rows.put("Tag Name", VisibleText.line(tag.Name()));
            if (!tag.Description().isEmpty()) {
                rows.put("Tag Description", VisibleText.line(tag.Description()));
            }
        }
        return rows.text();
    }

    /** Counts per group. */
    static String counts(JobSummary summary) {
        Columns columns =
                new Columns("Task Group", "Queued", "Starting", "Running", "Failed", "Complete", "Lost", "Unknown");
        new TreeMap<>(summary.Summary())
                .forEach((group, count) -> columns.row(
                        group,
                        Integer.toString(count.Queued()),
                        Integer.toString(count.Starting()),
                        Integer.toString(count.Running()),
                        Integer.toString(count.Failed()),
                        Integer.toString(count.Complete()),
                        Integer.toString(count.Lost()),
                        Integer.toString(count.Unknown())));
        return columns.text();
    }

    /** Evaluations, newest first. */
    static String evaluations(List<Evaluation> evaluations, boolean verbose) {
        Columns columns = new Columns("ID", "Priority", "Triggered By", "Status", "Placement Failures");
        evaluations.stream()
                .sorted(Comparator.comparingLong(Evaluation::CreateIndex).reversed())
                .forEach(one -> columns.row(
                        Human.id(one.ID(), verbose),
                        Integer.toString(one.Priority()),
                        one.TriggeredBy(),
                        one.Status(),
                        EvaluationView.placementFailures(one)));
        return columns.text();
    }

    private static String or(@Nullable String value) {
        return value == null ? "" : value;
    }

    private static long orZero(@Nullable Long value) {
        return value == null ? 0 : value;
    }
}
