package io.cleat.http;

import io.cleat.api.Allocation;
import io.cleat.api.Answer;
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
import java.util.Optional;

/** Nodes. */
public interface NodesApi {
    /**
     * Nodes in the order of their ids, which are their tokens; the filter looks at the {@link
     * Node}.
     *
     * @param resources whether each stub has what the node has and keeps for itself
     */
    Answer<Rows<NodeStub>> list(ListQuery query, boolean resources)
            throws Refused, Trouble, InterruptedException;

    Answer<Optional<Node>> get(ReadQuery query, String id)
            throws Refused, Trouble, InterruptedException;

    Answer<Rows<Allocation>> allocations(ReadQuery query, String id)
            throws Refused, Trouble, InterruptedException;

    /** Drains a node, or ends that; the id of the path is the one that counts. */
    Answer<NodeUpdateResponse> drain(WriteQuery query, String id, NodeDrainRequest request)
            throws Refused, Trouble, InterruptedException;

    /** How far a node's drain is. */
    Answer<Optional<NodeDrainProgress>> drainProgress(ReadQuery query, String id)
            throws Refused, Trouble, InterruptedException;

    /** Says whether a node takes new allocations. */
    Answer<NodeUpdateResponse> eligibility(WriteQuery query, String id, boolean eligible)
            throws Refused, Trouble, InterruptedException;

    /** Decides who a quarantined node is; the id of the path is the one that counts. */
    Answer<NodeUpdateResponse> quarantine(
            WriteQuery query, String id, NodeQuarantineRequest request)
            throws Refused, Trouble, InterruptedException;

    /** Has the jobs of a node, and each system job, evaluated though nothing has changed. */
    Answer<NodeEvaluateResponse> evaluate(WriteQuery query, String id)
            throws Refused, Trouble, InterruptedException;

    /** Forgets a node that is down. */
    Answer<NodeUpdateResponse> purge(WriteQuery query, String id)
            throws Refused, Trouble, InterruptedException;
}
