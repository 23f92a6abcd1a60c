package io.cleat.cli;

import io.cleat.api.Job;
import io.cleat.api.JobChildren;
import io.cleat.api.JobStub;
import io.cleat.api.ParameterizedJobConfig;
import io.cleat.api.PeriodicConfig;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What has jobs run at their times, or when somebody asks, as text. */
final class LaunchView {
    private LaunchView() {}

    static boolean launches(Job job) {
        return job.Periodic() != null || job.ParameterizedJob() != null;
    }

    /** When the next copy is run. */
    static String next(PeriodicConfig periodic, Instant now, ZoneId zone) {
        Optional<Instant> next;
        try {
            next = periodic.next(now);
        } catch (IllegalArgumentException | DateTimeException unreadable) {
            // Another program's server may have times of another kind.
            return "unknown";
        }
        return next.map(time -> Human.time(time, zone)
                        + " ("
                        + Human.span(Duration.between(now, time).toSeconds())
                        + " from now)")
                .orElse("none");
    }

    static String children(@Nullable JobChildren children) {
        JobChildren counts = children == null ? new JobChildren(0, 0, 0) : children;
        Columns columns = new Columns("Pending", "Running", "Dead");
        columns.row(Long.toString(counts.Pending()), Long.toString(counts.Running()), Long.toString(counts.Dead()));
        return columns.text();
    }

    /** What may be sent along. */
    static String parameters(ParameterizedJobConfig parameters) {
        return new Rows()
                .put("Payload", parameters.Payload() == null ? "" : parameters.Payload())
                .put("Required Metadata", words(parameters.MetaRequired()))
                .put("Optional Metadata", words(parameters.MetaOptional()))
                .text();
    }

    private static String words(@Nullable List<String> given) {
        return given == null || given.isEmpty() ? Human.NONE : String.join(", ", given);
    }

    /** The newest last, as it was asked for or came last. */
    static String copies(List<JobStub> copies) {
        Columns columns = new Columns("ID", "Status");
        copies.stream()
                .sorted(Comparator.comparingLong(JobStub::CreateIndex))
                .forEach(one -> columns.row(one.ID(), one.Status()));
        return columns.text();
    }
}
