package io.cleat.clusterapi.allocations;

import io.cleat.api.AllocStopResponse;
import io.cleat.api.Allocation;
import io.cleat.api.AllocationStub;
import io.cleat.api.Answer;
import io.cleat.api.AnswerMeta;
import io.cleat.api.Rows;
import io.cleat.base.Refusal;
import io.cleat.base.Refused;
import io.cleat.base.Trouble;
import io.cleat.clusterapi.query.Ranges;
import io.cleat.clusterapi.query.Reading;
import io.cleat.clusterapi.query.Readings;
import io.cleat.clusterapi.query.RenderedRows;
import io.cleat.http.ListQuery;
import io.cleat.http.ReadQuery;
import io.cleat.http.ShownNamespaces;
import io.cleat.http.WriteQuery;
import io.cleat.model.JobId;
import io.cleat.server.decide.StopAllocation;
import io.cleat.server.intake.Done;
import io.cleat.server.intake.Requests;
import io.cleat.server.intake.Versions;
import io.cleat.state.AllocationRow;
import io.cleat.state.ClusterState;
import io.cleat.state.DeploymentRow;
import io.cleat.state.JobRow;
import io.cleat.state.RowId;
import io.cleat.state.TableName;
import java.util.List;
import java.util.Optional;

/** Allocations over the server: all of them, and those of a job, evaluation, deployment or node. */
public final class AllocationAnswers {
    private static final Versions VERSION = Versions.of(TableName.ALLOCATIONS);

    private static final Versions DEPLOYMENT_VERSION = Versions.of(TableName.DEPLOYMENTS, TableName.ALLOCATIONS);

    private final Readings readings;
    private final Requests requests;
    private final RenderedRows<String, AllocationRow, AllocationView.Beside> rendered =
            RenderedRows.onceReadAgain(4 << 20);

    public AllocationAnswers(Readings readings, Requests requests) {
        this.readings = readings;
        this.requests = requests;
    }

    /**
     * Allocations in the order of their creation; the token of one is {@link ListQuery#creationToken}. The filter looks
     * at the {@link Allocation}.
     *
     * @param resources whether each stub has what it was given
     * @param taskStates whether each stub has its tasks' states; true unless asked otherwise
     */
    public Answer<Rows<AllocationStub>> list(ListQuery query, boolean resources, boolean taskStates)
            throws Refused, Trouble, InterruptedException {
        Reading reading = readings.read(query.read(), VERSION);
        ClusterState state = reading.state();
        ShownNamespaces shown = query.read().shown();
        return query.page(
                Ranges.byId(
                        query,
                        Ranges.ordered(state::allocationsFrom, state.scans()::allocationsBefore),
                        AllocationRow::id,
                        row -> shown.has(row.job().namespace())),
                AllocationRow::id,
                row -> AllocationView.whole(state, row),
                row -> AllocationView.stub(state, row, resources, taskStates),
                reading.meta());
    }

    /**
     * The {@link Allocation}.
     *
     * @param id 36 characters
     */
    public Answer<Optional<Object>> get(ReadQuery query, String id) throws Refused, Trouble, InterruptedException {
        Reading reading = readings.read(query, Versions.row(RowId.allocation(id), state -> state.allocation(id)));
        ClusterState state = reading.state();
        return new Answer<>(state.allocation(id).map(row -> written(state, row)), reading.meta());
    }

    private Object written(ClusterState state, AllocationRow row) {
        AllocationView.Beside beside = AllocationView.beside(state, row);
        return rendered.of(row.id(), row, beside, () -> AllocationView.whole(state, row, beside));
    }

    /**
     * Those of a job, by id.
     *
     * @param all also those of an earlier job of the same id
     */
    public Answer<Rows<AllocationStub>> ofJob(ReadQuery query, String jobId, boolean all)
            throws Refused, Trouble, InterruptedException {
        Reading reading = readings.read(query, VERSION);
        ClusterState state = reading.state();
        JobId job = new JobId(query.namespace(), jobId);
        long since = all ? 0 : state.job(job).map(JobRow::createVersion).orElse(0L);
        return new Answer<>(
                Rows.of(() -> Ranges.stream(state.scans().allocationsOfJob(job))
                        .filter(row -> row.byVersion().jobModifyVersion() >= since)
                        .map(row -> AllocationView.stub(state, row))),
                reading.meta());
    }

    /** Those that an evaluation made or changed last, by id. */
    public Answer<Rows<AllocationStub>> ofEvaluation(ReadQuery query, String evalId)
            throws Refused, Trouble, InterruptedException {
        Reading reading = readings.read(query, VERSION);
        ClusterState state = reading.state();
        return new Answer<>(
                Rows.of(() -> Ranges.stream(state.scans().allocationsOfEvaluation(evalId))
                        .map(row -> AllocationView.stub(state, row))),
                reading.meta());
    }

    /** Those that a deployment placed or changed. */
    public Answer<Rows<AllocationStub>> ofDeployment(ReadQuery query, String deploymentId)
            throws Refused, Trouble, InterruptedException {
        Reading reading = readings.read(query, DEPLOYMENT_VERSION);
        ClusterState state = reading.state();
        Optional<DeploymentRow> deployment = state.deployments().get(deploymentId);
        return new Answer<>(deployment.map(row -> of(state, row)).orElseGet(() -> Rows.of(List.of())), reading.meta());
    }

    private static Rows<AllocationStub> of(ClusterState state, DeploymentRow deployment) {
        return Rows.of(() -> Ranges.stream(state.scans().allocationsOfJob(deployment.job()))
                .filter(row -> row.deploymentId().equals(deployment.id()))
                .map(row -> AllocationView.stub(state, row)));
    }

    /** Those on a node, whole, by id. */
    public Answer<Rows<Allocation>> ofNode(ReadQuery query, String nodeId)
            throws Refused, Trouble, InterruptedException {
        Reading reading = readings.read(query, VERSION);
        ClusterState state = reading.state();
        return new Answer<>(
                Rows.of(() -> Ranges.stream(state.scans().allocationsOnNode(nodeId))
                        .map(row -> AllocationView.whole(state, row))),
                reading.meta());
    }

    /**
     * Stops an allocation and has its job evaluated.
     *
     * @param query of namespace {@code *}, or of the allocation's: else it is not found
     * @param noShutdownDelay its tasks are stopped without their shutdown delay
     */
    public Answer<AllocStopResponse> stop(WriteQuery query, String id, boolean noShutdownDelay)
            throws Refused, Trouble, InterruptedException {
        boolean isThere = readings.images()
                .read(false)
                .allocation(id)
                .filter(row -> query.shown().has(row.job().namespace()))
                .isPresent();
        if (!isThere) {
            throw new Refused(new Refusal.NotFound("alloc not found"));
        }
        Done<StopAllocation.Reply> done =
                requests.jobs().stopAllocation(id, noShutdownDelay, requests.asked(query.requestId()));
        return new Answer<>(
                new AllocStopResponse(done.reply().evalId(), done.version()), AnswerMeta.ofLeader(done.version()));
    }
}
