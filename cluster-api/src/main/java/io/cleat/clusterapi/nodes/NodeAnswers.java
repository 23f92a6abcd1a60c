package io.cleat.clusterapi.nodes;

import io.cleat.api.Answer;
import io.cleat.api.AnswerMeta;
import io.cleat.api.DrainSpec;
import io.cleat.api.Node;
import io.cleat.api.NodeDrainProgress;
import io.cleat.api.NodeDrainRequest;
import io.cleat.api.NodeEvaluateResponse;
import io.cleat.api.NodeQuarantineRequest;
import io.cleat.api.NodeStub;
import io.cleat.api.NodeUpdateResponse;
import io.cleat.api.Rows;
import io.cleat.base.Refused;
import io.cleat.base.Trouble;
import io.cleat.clusterapi.query.Ranges;
import io.cleat.clusterapi.query.Reading;
import io.cleat.clusterapi.query.Readings;
import io.cleat.http.ListQuery;
import io.cleat.http.ReadQuery;
import io.cleat.http.WriteQuery;
import io.cleat.server.decide.DrainNode;
import io.cleat.server.decide.EvaluateNode;
import io.cleat.server.decide.NodeReply;
import io.cleat.server.intake.Done;
import io.cleat.server.intake.Requests;
import io.cleat.server.intake.Versions;
import io.cleat.state.ClusterState;
import io.cleat.state.NodeRow;
import io.cleat.state.RowId;
import io.cleat.state.TableName;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** Nodes over the server. */
public final class NodeAnswers {
    private static final Versions VERSION = Versions.of(TableName.NODES);

    private static final Versions DRAIN_VERSION =
            Versions.of(TableName.NODES, TableName.ALLOCATIONS, TableName.CLAIMS, TableName.ATTACHMENTS);

    private final Readings readings;
    private final Requests requests;

    public NodeAnswers(Readings readings, Requests requests) {
        this.readings = readings;
        this.requests = requests;
    }

    /**
     * Nodes in the order of their ids, which are their tokens; the filter looks at the {@link Node}.
     *
     * @param resources whether each stub has what the node has and keeps for itself
     */
    public Answer<Rows<NodeStub>> list(ListQuery query, boolean resources)
            throws Refused, Trouble, InterruptedException {
        return list(query, resources, row -> true);
    }

    /** As {@link #list(ListQuery, boolean)}, some of them. */
    Answer<Rows<NodeStub>> list(ListQuery query, boolean resources, Predicate<NodeRow> isWanted)
            throws Refused, Trouble, InterruptedException {
        Reading reading = readings.read(query.read(), VERSION);
        ClusterState state = reading.state();
        return query.page(
                Ranges.byId(query, Ranges.ordered(state::nodesFrom, state.scans()::nodesBefore), NodeRow::id, isWanted),
                NodeRow::id,
                row -> NodeView.whole(state, row),
                row -> NodeView.stub(row, resources),
                reading.meta());
    }

    public Answer<Optional<Node>> get(ReadQuery query, String id) throws Refused, Trouble, InterruptedException {
        Reading reading = readings.read(query, Versions.row(RowId.node(id), state -> state.node(id)));
        return new Answer<>(reading.state().node(id).map(row -> NodeView.whole(reading.state(), row)), reading.meta());
    }

    /** Drains a node, or ends that; the id of the path is the one that counts. */
    public Answer<NodeUpdateResponse> drain(WriteQuery query, String id, NodeDrainRequest request)
            throws Refused, Trouble, InterruptedException {
        DrainSpec spec = request.DrainSpec();
        DrainNode.Wish wish =
                spec == null ? null : new DrainNode.Wish(Duration.ofNanos(spec.Deadline()), spec.IgnoreSystemJobs());
        return changed(requests.nodes()
                .drain(
                        id,
                        wish,
                        request.MarkEligible(),
                        request.Meta() == null ? Map.of() : request.Meta(),
                        requests.asked(query.requestId())));
    }

    /** Says whether a node takes new allocations. */
    public Answer<NodeUpdateResponse> eligibility(WriteQuery query, String id, boolean eligible)
            throws Refused, Trouble, InterruptedException {
        return changed(requests.nodes().eligibility(id, eligible, requests.asked(query.requestId())));
    }

    /** Decides who a quarantined node is; the id of the path is the one that counts. */
    public Answer<NodeUpdateResponse> quarantine(WriteQuery query, String id, NodeQuarantineRequest request)
            throws Refused, Trouble, InterruptedException {
        return changed(requests.nodes()
                .endQuarantine(id, request.Accept(), request.MachineIsOff(), requests.asked(query.requestId())));
    }

    /** Forgets a node that is down. */
    public Answer<NodeUpdateResponse> purge(WriteQuery query, String id) throws Refused, Trouble, InterruptedException {
        return changed(requests.nodes().purge(id, requests.asked(query.requestId())));
    }

    /** Has the jobs of a node, and each system job, evaluated though nothing has changed. */
    public Answer<NodeEvaluateResponse> evaluate(WriteQuery query, String id)
            throws Refused, Trouble, InterruptedException {
        Done<EvaluateNode.Reply> done = requests.nodes().evaluate(id, requests.deadline());
        return new Answer<>(
                NodeEvaluateResponse.of(
                        done.reply().evalIds(), done.version(), done.reply().nodeVersion()),
                AnswerMeta.ofLeader(done.version()));
    }

    /** Evaluations that follow are found by their trigger; none is begun for the caller to follow. */
    private static Answer<NodeUpdateResponse> changed(Done<NodeReply> done) {
        long version = done.reply().version();
        return new Answer<>(new NodeUpdateResponse(0, null, version, version), AnswerMeta.ofLeader(version));
    }

    /** How far a node's drain is. */
    public Answer<Optional<NodeDrainProgress>> drainProgress(ReadQuery query, String id)
            throws Refused, Trouble, InterruptedException {
        Reading reading = readings.read(query, DRAIN_VERSION);
        return new Answer<>(
                reading.state().node(id).map(row -> DrainView.progress(reading.state(), row)), reading.meta());
    }
}
