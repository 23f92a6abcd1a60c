package io.cleat.clusterapi.jobs;

import io.cleat.api.Answer;
import io.cleat.api.JobOverview;
import io.cleat.api.JobStatusesRequest;
import io.cleat.api.Nanos;
import io.cleat.api.Rows;
import io.cleat.clusterapi.query.Ranges;
import io.cleat.clusterapi.query.Reading;
import io.cleat.clusterapi.query.SortedInPasses;
import io.cleat.http.Filter;
import io.cleat.http.ListQuery;
import io.cleat.http.ReadQuery;
import io.cleat.model.AllocHealth;
import io.cleat.model.JobId;
import io.cleat.model.TaskGroup;
import io.cleat.server.intake.Versions;
import io.cleat.state.AllocationRow;
import io.cleat.state.ClusterState;
import io.cleat.state.DeploymentRow;
import io.cleat.state.JobRow;
import io.cleat.state.JobStatus;
import io.cleat.state.TableName;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** How jobs and their allocations are, in few words, in the order in which jobs were changed. */
final class JobOverviews {
    /** What they are made of. */
    static final Versions VERSION =
            Versions.of(TableName.JOBS, TableName.ALLOCATIONS, TableName.EVALUATIONS, TableName.DEPLOYMENTS);

    private static final Comparator<JobRow> BY_CHANGE =
            Comparator.comparingLong(JobRow::modifyVersion).thenComparing(JobRow::id);

    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,19}");

    private JobOverviews() {}

    /**
     * One page.
     *
     * @param children also copies that other jobs had run
     */
    static Answer<Rows<JobOverview>> page(Reading reading, ListQuery query, boolean children) {
        ClusterState state = reading.state();
        ListQuery all = new ListQuery(query.read(), query.prefix(), Filter.ALL, 0, "", false);
        Supplier<Stream<JobRow>> rows = () -> Ranges.named(
                        all,
                        JobAnswers.table(state),
                        row -> new Ranges.Name(row.id().namespace(), row.id().id()))
                .get()
                .filter(row -> children || row.spec().parent().isEmpty());
        Comparator<JobRow> order = query.reverse() ? BY_CHANGE.reversed() : BY_CHANGE;
        ListQuery ordered = new ListQuery(
                query.read(), query.prefix(), query.filter(), query.perPage(), token(query), query.reverse());
        return ordered.page(
                () -> StreamSupport.stream(
                        Spliterators.spliteratorUnknownSize(
                                new SortedInPasses<>(rows, order, null, SortedInPasses.A_PASS), Spliterator.ORDERED),
                        false),
                row -> ListQuery.creationToken(
                        row.modifyVersion(),
                        row.id().namespace() + "." + row.id().id()),
                row -> JobView.job(state, row),
                row -> of(state, row),
                reading.meta());
    }

    /** Clients turn a page back with the number of a change alone: all jobs of it are meant. */
    private static String token(ListQuery query) {
        String token = query.nextToken();
        if (!NUMBER.matcher(token).matches()) {
            return token;
        }
        String digits = "0".repeat(19 - token.length()) + token;
        return query.reverse() ? digits + Character.MAX_VALUE : digits;
    }

    /** Of these jobs, as far as they are there. */
    static Answer<Rows<JobOverview>> named(Reading reading, ReadQuery query, List<JobStatusesRequest.Name> jobs) {
        ClusterState state = reading.state();
        return new Answer<>(
                Rows.of(() -> jobs.stream()
                        .flatMap(name -> state.job(id(query, name)).stream())
                        .map(row -> of(state, row))),
                reading.meta());
    }

    private static JobId id(ReadQuery query, JobStatusesRequest.Name name) {
        return new JobId(name.Namespace().isEmpty() ? query.namespace() : name.Namespace(), name.ID());
    }

    private static JobOverview of(ClusterState state, JobRow row) {
        List<JobOverview.Alloc> allocations = Ranges.stream(state.scans().allocationsOfJob(row.id()))
                .filter(allocation -> allocation.byVersion().jobModifyVersion() >= row.createVersion())
                .map(JobOverviews::allocation)
                .toList();
        List<DeploymentRow> deployments = state.deployments().of(row);
        return new JobOverview(
                allocations,
                children(state, row),
                row.spec().datacenters(),
                row.stop()
                        ? 0
                        : row.spec().groups().stream()
                                .mapToInt(TaskGroup::count)
                                .sum(),
                row.id().id(),
                false,
                deployments.isEmpty() ? null : deployment(deployments.getLast()),
                row.modifyVersion(),
                row.spec().name(),
                row.id().namespace(),
                row.spec().nodePool(),
                row.spec().parent().map(JobId::id).orElse(""),
                row.spec().priority(),
                state.jobStatus(row).wire(),
                row.stop(),
                Nanos.of(row.submittedAt()),
                row.spec().type().wire(),
                row.number());
    }

    private static @Nullable List<String> children(ClusterState state, JobRow row) {
        return row.spec().launchesChildren()
                ? state.childrenOf(row.id()).stream()
                        .map(state::jobStatus)
                        .map(JobStatus::wire)
                        .toList()
                : null;
    }

    private static JobOverview.Alloc allocation(AllocationRow row) {
        return new JobOverview.Alloc(
                row.status().wire(),
                new JobOverview.Health(
                        row.isCanary(),
                        Optional.ofNullable(row.seen().health())
                                .map(AllocHealth::healthy)
                                .orElse(null)),
                row.lineage().followupEval(),
                row.group(),
                false,
                row.id(),
                row.byVersion().jobNumber(),
                row.nodeId());
    }

    private static JobOverview.LatestDeployment deployment(DeploymentRow row) {
        return new JobOverview.LatestDeployment(
                row.groups().values().stream().allMatch(DeploymentRow.Group::autoPromote),
                row.id(),
                row.status().isActive(),
                row.jobNumber(),
                row.groups().values().stream().anyMatch(DeploymentRow.Group::isUnpromoted),
                row.status().wire(),
                row.statusDescription());
    }
}
