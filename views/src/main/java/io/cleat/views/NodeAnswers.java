package io.cleat.views;

import io.cleat.api.Allocation;
import io.cleat.api.Answer;
import io.cleat.api.Node;
import io.cleat.api.NodeStub;
import io.cleat.base.Refused;
import io.cleat.base.Trouble;
import io.cleat.http.ListQuery;
import io.cleat.http.NodesApi;
import io.cleat.http.ReadQuery;
import io.cleat.state.ClusterState;
import io.cleat.state.NodeRow;
import io.cleat.state.TableName;
import java.util.List;
import java.util.Optional;

/** Nodes over the server. */
final class NodeAnswers implements NodesApi {
    private static final Versions VERSION = Versions.of(TableName.NODES);

    private final Reading.Desk desk;

    NodeAnswers(Reading.Desk desk) {
        this.desk = desk;
    }

    @Override
    public Answer<List<NodeStub>> list(ListQuery query, boolean resources)
            throws Refused, Trouble, InterruptedException {
        Reading reading = desk.read(query.read(), VERSION);
        ClusterState state = reading.state();
        return query.page(
                Ranges.byId(query, state::nodesFrom, NodeRow::id, row -> true),
                NodeRow::id,
                row -> NodeView.whole(state, row),
                row -> NodeView.stub(row, resources),
                reading.meta());
    }

    @Override
    public Answer<Optional<Node>> get(ReadQuery query, String id)
            throws Refused, Trouble, InterruptedException {
        Reading reading = desk.read(query, Versions.row(TableName.NODES, state -> state.node(id)));
        return new Answer<>(
                reading.state().node(id).map(row -> NodeView.whole(reading.state(), row)),
                reading.meta());
    }

    @Override
    public Answer<List<Allocation>> allocations(ReadQuery query, String id)
            throws Refused, Trouble, InterruptedException {
        Reading reading = desk.read(query, AllocationAnswers.VERSION);
        ClusterState state = reading.state();
        return new Answer<>(
                state.allocationsOnNode(id).stream()
                        .map(row -> AllocationView.whole(state, row))
                        .toList(),
                reading.meta());
    }
}
