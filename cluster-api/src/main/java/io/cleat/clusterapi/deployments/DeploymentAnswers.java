package io.cleat.clusterapi.deployments;

import io.cleat.api.Answer;
import io.cleat.api.AnswerMeta;
import io.cleat.api.Deployment;
import io.cleat.api.DeploymentAllocHealthRequest;
import io.cleat.api.DeploymentUpdateResponse;
import io.cleat.api.Rows;
import io.cleat.base.Refused;
import io.cleat.base.Trouble;
import io.cleat.clusterapi.query.Ranges;
import io.cleat.clusterapi.query.Reading;
import io.cleat.clusterapi.query.Readings;
import io.cleat.http.ListQuery;
import io.cleat.http.ReadQuery;
import io.cleat.http.ShownNamespaces;
import io.cleat.http.WriteQuery;
import io.cleat.model.JobId;
import io.cleat.server.decide.DeploymentReply;
import io.cleat.server.intake.Done;
import io.cleat.server.intake.Requests;
import io.cleat.server.intake.Versions;
import io.cleat.state.ClusterState;
import io.cleat.state.DeploymentRow;
import io.cleat.state.JobRow;
import io.cleat.state.TableName;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Deployments over the server. What they show depends on their allocations too. */
public final class DeploymentAnswers {
    private static final Versions VERSION = Versions.of(TableName.DEPLOYMENTS, TableName.ALLOCATIONS);

    private final Readings readings;
    private final Requests requests;

    public DeploymentAnswers(Readings readings, Requests requests) {
        this.readings = readings;
        this.requests = requests;
    }

    /** Deployments by id, which is their token. The filter looks at the {@link Deployment}. */
    public Answer<Rows<Deployment>> list(ListQuery query) throws Refused, Trouble, InterruptedException {
        Reading reading = readings.read(query.read(), VERSION);
        ClusterState state = reading.state();
        ShownNamespaces shown = query.read().shown();
        return query.page(
                Ranges.byId(
                        query,
                        Ranges.ordered(state.deployments()::from, state.scans()::deploymentsBefore),
                        DeploymentRow::id,
                        row -> shown.has(row.job().namespace())),
                DeploymentRow::id,
                row -> DeploymentView.of(state, row),
                row -> DeploymentView.of(state, row),
                reading.meta());
    }

    public Answer<Optional<Deployment>> get(ReadQuery query, String id) throws Refused, Trouble, InterruptedException {
        Reading reading = readings.read(query, VERSION);
        return new Answer<>(
                reading.state().deployments().get(id).map(row -> DeploymentView.of(reading.state(), row)),
                reading.meta());
    }

    /**
     * Those of a job, newest first.
     *
     * @param all also those of a purged job that had its id
     */
    public Answer<Rows<Deployment>> ofJob(ReadQuery query, String jobId, boolean all)
            throws Refused, Trouble, InterruptedException {
        Reading reading = readings.read(query, VERSION);
        ClusterState state = reading.state();
        JobId id = new JobId(query.namespace(), jobId);
        Optional<JobRow> job = all ? Optional.empty() : state.job(id);
        List<DeploymentRow> rows = job.map(state.deployments()::of)
                .orElseGet(() -> state.deployments().ofJob(id))
                .reversed();
        return new Answer<>(Rows.of(() -> rows.stream().map(row -> DeploymentView.of(state, row))), reading.meta());
    }

    /**
     * Holds a deployment.
     *
     * @param pause false to let it go on
     */
    public Answer<DeploymentUpdateResponse> pause(WriteQuery query, String id, boolean pause)
            throws Refused, Trouble, InterruptedException {
        return updated(requests.deployments().pause(id, pause, requests.asked(query.requestId())));
    }

    /**
     * Promotes canaries.
     *
     * @param groups empty for all
     */
    public Answer<DeploymentUpdateResponse> promote(WriteQuery query, String id, List<String> groups)
            throws Refused, Trouble, InterruptedException {
        return updated(requests.deployments().promote(id, groups, requests.asked(query.requestId())));
    }

    public Answer<DeploymentUpdateResponse> fail(WriteQuery query, String id)
            throws Refused, Trouble, InterruptedException {
        return updated(requests.deployments().fail(id, requests.asked(query.requestId())));
    }

    public Answer<DeploymentUpdateResponse> health(WriteQuery query, String id, DeploymentAllocHealthRequest request)
            throws Refused, Trouble, InterruptedException {
        return updated(requests.deployments()
                .health(
                        id,
                        given(request.HealthyAllocationIDs()),
                        given(request.UnhealthyAllocationIDs()),
                        requests.asked(query.requestId())));
    }

    private static List<String> given(@Nullable List<String> ids) {
        return ids == null ? List.of() : ids;
    }

    private static Answer<DeploymentUpdateResponse> updated(Done<DeploymentReply> done) {
        DeploymentReply reply = done.reply();
        return new Answer<>(
                new DeploymentUpdateResponse(
                        done.version(),
                        reply.evalId().isEmpty() ? 0 : done.version(),
                        reply.evalId(),
                        done.version(),
                        reply.revertedTo()),
                AnswerMeta.ofLeader(done.version()));
    }
}
