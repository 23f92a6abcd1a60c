package io.cleat.http;

import io.cleat.api.Allocation;
import io.cleat.api.Answer;
import io.cleat.api.Node;
import io.cleat.api.NodeStub;
import io.cleat.base.Refused;
import io.cleat.base.Trouble;
import java.util.List;
import java.util.Optional;

/** Nodes. */
public interface NodesApi {
    /**
     * Nodes in the order of their ids, which are their tokens; the filter looks at the {@link
     * Node}.
     *
     * @param resources whether each stub has what the node has and keeps for itself
     */
    Answer<List<NodeStub>> list(ListQuery query, boolean resources)
            throws Refused, Trouble, InterruptedException;

    Answer<Optional<Node>> get(ReadQuery query, String id)
            throws Refused, Trouble, InterruptedException;

    Answer<List<Allocation>> allocations(ReadQuery query, String id)
            throws Refused, Trouble, InterruptedException;
}
