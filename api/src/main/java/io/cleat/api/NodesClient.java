package io.cleat.api;

import io.cleat.base.LinkTrouble;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;

/** Nodes over HTTP. */
public final class NodesClient {
    private static final TypeReference<List<NodeStub>> STUBS = new TypeReference<>() {};
    private static final TypeReference<List<Allocation>> ALLOCATIONS = new TypeReference<>() {};

    private static final String METADATA = "/v1/client/metadata";

    private final CleatClient client;

    NodesClient(CleatClient client) {
        this.client = client;
    }

    public Answer<List<NodeStub>> list(Params params) throws UnexpectedAnswer, LinkTrouble {
        return client.get("/v1/nodes", params, STUBS);
    }

    public Answer<Node> get(String id, Params params) throws UnexpectedAnswer, LinkTrouble {
        return client.get(path(id), params, Node.class);
    }

    public Answer<List<Allocation>> allocations(String id, Params params) throws UnexpectedAnswer, LinkTrouble {
        return client.get(path(id) + "/allocations", params, ALLOCATIONS);
    }

    /** Drains a node, or ends that. */
    public NodeUpdateResponse drain(NodeDrainRequest request, Params params) throws UnexpectedAnswer, LinkTrouble {
        String path = path(request.NodeID()) + "/drain";
        return client.put(path, params, request, NodeUpdateResponse.class).body();
    }

    /** How far a node's drain is. */
    public Answer<NodeDrainProgress> drainProgress(String id, Params params) throws UnexpectedAnswer, LinkTrouble {
        return client.get(path(id) + "/drain", params, NodeDrainProgress.class);
    }

    /** Says whether a node takes new allocations. */
    public NodeUpdateResponse eligibility(NodeEligibilityRequest request, Params params)
            throws UnexpectedAnswer, LinkTrouble {
        String path = path(request.NodeID()) + "/eligibility";
        return client.put(path, params, request, NodeUpdateResponse.class).body();
    }

    /** Decides who a quarantined node is. */
    public NodeUpdateResponse quarantine(NodeQuarantineRequest request, Params params)
            throws UnexpectedAnswer, LinkTrouble {
        String path = path(request.NodeID()) + "/quarantine";
        return client.put(path, params, request, NodeUpdateResponse.class).body();
    }

    /** Has the jobs of a node, and each system job, evaluated though nothing has changed. */
    public NodeEvaluateResponse evaluate(String id, Params params) throws UnexpectedAnswer, LinkTrouble {
        return client.put(path(id) + "/evaluate", params, null, NodeEvaluateResponse.class)
                .body();
    }

    /** Forgets a node that is down. */
    public NodeUpdateResponse purge(String id, Params params) throws UnexpectedAnswer, LinkTrouble {
        return client.put(path(id) + "/purge", params, null, NodeUpdateResponse.class)
                .body();
    }

    /**
     * Has all allocations of a node that have ended give up their files.
     *
     * @param id empty for the node of the agent that is asked
     */
    public void collect(String id) throws UnexpectedAnswer, LinkTrouble {
        client.send("PUT", "/v1/client/gc", named(id), Map.of());
    }

    /**
     * What jobs may ask for of a node.
     *
     * @param id empty for the node of the agent that is asked
     */
    public NodeMetaResponse meta(String id) throws UnexpectedAnswer, LinkTrouble {
        return client.get(METADATA, named(id), NodeMetaResponse.class).body();
    }

    /**
     * Says more of that.
     *
     * @param id empty for the node of the agent that is asked
     * @param more by key; null takes a key away
     */
    public NodeMetaResponse changeMeta(String id, Map<String, @Nullable String> more)
            throws UnexpectedAnswer, LinkTrouble {
        return client.put(METADATA, named(id), new NodeMetaRequest(more, id), NodeMetaResponse.class)
                .body();
    }

    private static Params named(String id) {
        return id.isEmpty() ? Params.none() : Params.none().with("node_id", id);
    }

    public NodeStats stats(String id, Params params) throws UnexpectedAnswer, LinkTrouble {
        return client.get("/v1/client/stats", params.with("node_id", id), NodeStats.class)
                .body();
    }

    private static String path(String id) {
        return "/v1/node/" + Params.escape(id);
    }
}
