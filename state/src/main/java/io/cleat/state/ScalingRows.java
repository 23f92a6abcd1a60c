package io.cleat.state;

import io.cleat.model.JobId;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** How the groups of one image's jobs may be scaled, and were. */
public final class ScalingRows {
    private final Table<JobId, JobRow> jobs;
    private final Table<ScaleEventsId, ScaleEventsRow> events;

    ScalingRows(Table<JobId, JobRow> jobs, Table<ScaleEventsId, ScaleEventsRow> events) {
        this.jobs = jobs;
        this.events = events;
    }

    /** The policies of all jobs, by job and then as the job names its groups. */
    public Stream<ScalingPolicy> policies() {
        return jobs.each(Tables.JOBS_BY_SCALING, ScalingPolicy.ANY).stream().flatMap(ScalingPolicy::of);
    }

    public Optional<ScalingPolicy> policy(String id) {
        return jobs.find(Tables.JOBS_BY_SCALING, id).stream()
                .flatMap(ScalingPolicy::of)
                .filter(policy -> policy.id().equals(id))
                .findFirst();
    }

    /** The last events of a group's scaling, oldest first. */
    public List<ScaleEvent> events(ScaleEventsId id) {
        ScaleEventsRow row = events.get(id);
        return row == null ? List.of() : row.events();
    }
}
