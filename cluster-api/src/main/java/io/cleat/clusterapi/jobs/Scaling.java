package io.cleat.clusterapi.jobs;

import io.cleat.api.JobScaleStatus;
import io.cleat.api.Nanos;
import io.cleat.api.ScalingEvent;
import io.cleat.api.ScalingPolicies;
import io.cleat.api.ScalingRequest;
import io.cleat.base.Refusal;
import io.cleat.base.Refused;
import io.cleat.base.TextRule;
import io.cleat.http.QueryParams;
import io.cleat.model.ClientStatus;
import io.cleat.model.JobId;
import io.cleat.model.TaskGroup;
import io.cleat.server.decide.ScaleJob;
import io.cleat.state.AllocationRow;
import io.cleat.state.ClusterState;
import io.cleat.state.JobRow;
import io.cleat.state.ScaleEvent;
import io.cleat.state.ScaleEventsId;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** How many allocations the groups of a job have, and what somebody wants instead. */
final class Scaling {
    private Scaling() {}

    static JobScaleStatus status(ClusterState state, JobRow job) {
        Map<String, List<AllocationRow>> placed = state.allocationsOfJob(job.id()).stream()
                .filter(allocation -> !allocation.isTerminal())
                .collect(Collectors.groupingBy(AllocationRow::group));
        Map<String, JobScaleStatus.Group> groups = new TreeMap<>();
        for (TaskGroup group : job.spec().groups()) {
            List<AllocationRow> there = placed.getOrDefault(group.name(), List.of());
            groups.put(
                    group.name(),
                    new JobScaleStatus.Group(
                            group.count(),
                            events(state, job, group),
                            there.stream().filter(AllocationRow::isHealthy).count(),
                            there.size(),
                            there.stream()
                                    .filter(row -> row.status() == ClientStatus.RUNNING)
                                    .count(),
                            there.stream().filter(AllocationRow::isUnhealthy).count()));
        }
        return new JobScaleStatus(
                job.createVersion(),
                job.id().id(),
                job.jobModifyVersion(),
                job.stop(),
                job.id().namespace(),
                groups);
    }

    /** The last events, newest first; null for none. */
    private static @Nullable List<ScalingEvent> events(ClusterState state, JobRow job, TaskGroup group) {
        List<ScaleEvent> events = state.scaling().events(new ScaleEventsId(job.id(), group.name()));
        return events.isEmpty()
                ? null
                : events.reversed().stream().map(Scaling::event).toList();
    }

    private static ScalingEvent event(ScaleEvent event) {
        Integer count = event.count();
        return new ScalingEvent(
                count == null ? null : count.longValue(),
                event.version(),
                event.error(),
                event.evalId().isEmpty() ? null : event.evalId(),
                event.message(),
                ScalingPolicies.shown(event.meta()),
                event.previousCount(),
                Nanos.of(event.at()));
    }

    /**
     * A count that a group may have, or what is only said of it.
     *
     * @param count null to leave it as it is
     * @param jobModifyVersion the version that stored the job with which it was checked
     */
    record Checked(String group, @Nullable Integer count, long jobModifyVersion, ScaleJob.Said said) {}

    /**
     * Checks the job as it would be: a count may be more than its volumes, or its policy, allow.
     *
     * @throws Refused with all that is wrong
     */
    static Checked checked(ClusterState state, JobId id, ScalingRequest request) throws Refused {
        JobRow job = state.job(id).orElseThrow(() -> new Refused(new Refusal.NotFound("job not found")));
        String group = Objects.requireNonNullElse(request.Target(), Map.<String, String>of())
                .getOrDefault("Group", "");
        if (group.isEmpty()) {
            throw QueryParams.malformed("missing task group name for scaling action: name it as Target.Group");
        }
        if (request.Count() != null && request.Error()) {
            throw QueryParams.malformed(
                    "scaling action should not contain count if error is true: leave one of them out");
        }
        Optional<TaskGroup> wanted = job.spec().group(group);
        if (wanted.isEmpty()) {
            throw QueryParams.malformed("task group "
                    + TextRule.quoted(group)
                    + " does not exist in job "
                    + TextRule.quoted(id.id())
                    + ", which has "
                    + job.spec().groups().stream()
                            .map(each -> TextRule.quoted(each.name()))
                            .collect(Collectors.joining(", ")));
        }
        if (job.spec().type().isOnEachNode()) {
            throw new Refused(
                    new Refusal.Invalid("a system job is not scaled: it has one allocation on each node that fits"));
        }
        ScaleJob.Said said = said(request);
        if (request.Count() == null) {
            return new Checked(group, null, job.jobModifyVersion(), said);
        }
        long count = request.Count();
        if (count < 0 || count > Integer.MAX_VALUE) {
            throw new Refused(new Refusal.Invalid("scaling action count can't be " + count + ": it is 0 or more"));
        }
        requireWithin(wanted.get(), count);
        JobText.requireValid(JobView.job(state, job.withSpec(job.spec().scaled(group, (int) count))));
        return new Checked(group, (int) count, job.jobModifyVersion(), said);
    }

    private static void requireWithin(TaskGroup group, long count) throws Refused {
        io.cleat.model.Scaling bounds = group.scaling();
        if (bounds != null && count < bounds.min()) {
            throw QueryParams.malformed(
                    "group count was less than scaling policy minimum: " + count + " < " + bounds.min());
        }
        if (bounds != null && count > bounds.max()) {
            throw QueryParams.malformed(
                    "group count was greater than scaling policy maximum: " + count + " > " + bounds.max());
        }
    }

    private static ScaleJob.Said said(ScalingRequest request) throws Refused {
        String message = request.Message();
        if (message.length() > ScaleEvent.MESSAGE_MOST) {
            throw QueryParams.malformed("Message has "
                    + message.length()
                    + " characters; at most "
                    + ScaleEvent.MESSAGE_MOST
                    + " are kept");
        }
        int meta =
                request.Meta() == null ? 0 : request.Meta().value().toString().length();
        if (meta > ScaleEvent.META_MOST) {
            throw QueryParams.malformed(
                    "Meta has " + meta + " characters of JSON; at most " + ScaleEvent.META_MOST + " are kept");
        }
        return new ScaleJob.Said(request.Error(), message, ScalingPolicies.meta(request.Meta()));
    }
}
