package io.cleat.clusterapi.jobs;

import io.cleat.api.Answer;
import io.cleat.api.Job;
import io.cleat.api.JobOverview;
import io.cleat.api.JobScaleStatus;
import io.cleat.api.JobStatusesRequest;
import io.cleat.api.JobStub;
import io.cleat.api.JobSummary;
import io.cleat.api.Rows;
import io.cleat.base.Refused;
import io.cleat.base.Trouble;
import io.cleat.clusterapi.query.Ranges;
import io.cleat.clusterapi.query.Reading;
import io.cleat.clusterapi.query.Readings;
import io.cleat.clusterapi.query.RenderedRows;
import io.cleat.http.ListQuery;
import io.cleat.http.ReadQuery;
import io.cleat.model.JobId;
import io.cleat.server.intake.Versions;
import io.cleat.state.ClusterState;
import io.cleat.state.JobRow;
import io.cleat.state.TableName;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * How jobs are. A job's status and summary follow from its allocations and evaluations, so that reads of them wait on
 * those tables too. What is done with jobs: {@link JobWrites}; their versions: {@link JobVersions}; jobs that are not
 * stored: {@link JobDrafts}.
 */
public final class JobAnswers {
    private static final Versions VERSION = Versions.of(TableName.JOBS, TableName.ALLOCATIONS, TableName.EVALUATIONS);
    private static final Versions SCALE_VERSION =
            Versions.of(TableName.JOBS, TableName.ALLOCATIONS, TableName.SCALE_EVENTS);

    private final Readings readings;
    private final RenderedRows<JobId, JobRow, JobView.Beside> rendered = RenderedRows.onceReadAgain(4 << 20);

    public JobAnswers(Readings readings) {
        this.readings = readings;
    }

    /**
     * Jobs in the order of namespace and id; the token of one is {@code namespace.id}. The filter looks at the
     * {@link Job}.
     *
     * @param meta whether each stub has the job's meta
     */
    public Answer<Rows<JobStub>> list(ListQuery query, boolean meta) throws Refused, Trouble, InterruptedException {
        return list(query, meta, row -> true);
    }

    /** The jobs that name a node pool, by namespace and id. */
    public Answer<Rows<JobStub>> inPool(ListQuery query, String pool) throws Refused, Trouble, InterruptedException {
        return list(query, false, row -> row.spec().nodePool().equals(pool));
    }

    private Answer<Rows<JobStub>> list(ListQuery query, boolean meta, Predicate<JobRow> isWanted)
            throws Refused, Trouble, InterruptedException {
        Reading reading = readings.read(query.read(), VERSION);
        ClusterState state = reading.state();
        Supplier<Stream<JobRow>> rows = Ranges.named(
                query,
                table(state),
                row -> new Ranges.Name(row.id().namespace(), row.id().id()));
        return query.page(
                () -> rows.get().filter(isWanted),
                row -> new Ranges.Name(row.id().namespace(), row.id().id()).token(),
                row -> JobView.job(state, row),
                row -> JobView.stub(state, row, meta),
                reading.meta());
    }

    /** Jobs in the order of their names, and backwards. */
    static Ranges.Ordered<Ranges.Name, JobRow> table(ClusterState state) {
        return Ranges.ordered(
                from -> state.jobsFrom(new JobId(from.namespace(), from.id())),
                before -> state.scans().jobsBefore(new JobId(before.namespace(), before.id())));
    }

    /**
     * How jobs and their allocations are, in the order in which they were changed; the token of one is
     * {@link ListQuery#creationToken} of that change, and a number alone will do. The filter looks at the {@link Job}.
     *
     * @param children also copies that other jobs had run
     */
    public Answer<Rows<JobOverview>> statuses(ListQuery query, boolean children)
            throws Refused, Trouble, InterruptedException {
        return JobOverviews.page(readings.read(query.read(), JobOverviews.VERSION), query, children);
    }

    /** As {@link #statuses}, of these jobs in this order; what is not there is left out. */
    public Answer<Rows<JobOverview>> statusesOf(ReadQuery query, List<JobStatusesRequest.Name> jobs)
            throws Refused, Trouble, InterruptedException {
        return JobOverviews.named(readings.read(query, JobOverviews.VERSION), query, jobs);
    }

    /** The {@link Job}. */
    public Answer<Optional<Object>> get(ReadQuery query, String id) throws Refused, Trouble, InterruptedException {
        Reading reading = readings.read(query, VERSION);
        ClusterState state = reading.state();
        return new Answer<>(
                state.job(new JobId(query.namespace(), id)).map(row -> written(row, JobView.beside(state, row))),
                reading.meta());
    }

    private Object written(JobRow row, JobView.Beside beside) {
        return rendered.of(row.id(), row, beside, () -> JobView.job(row, beside));
    }

    public Answer<Optional<JobSummary>> summary(ReadQuery query, String id)
            throws Refused, Trouble, InterruptedException {
        Reading reading = readings.read(query, VERSION);
        return new Answer<>(
                reading.state().job(new JobId(query.namespace(), id)).map(row -> JobView.summary(reading.state(), row)),
                reading.meta());
    }

    /** How many allocations each group has, and is to have. */
    public Answer<Optional<JobScaleStatus>> scaleStatus(ReadQuery query, String id)
            throws Refused, Trouble, InterruptedException {
        Reading reading = readings.read(query, SCALE_VERSION);
        return new Answer<>(
                reading.state().job(new JobId(query.namespace(), id)).map(row -> Scaling.status(reading.state(), row)),
                reading.meta());
    }
}
