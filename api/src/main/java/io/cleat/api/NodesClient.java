package io.cleat.api;

import io.cleat.base.LinkTrouble;
import java.util.List;
import tools.jackson.core.type.TypeReference;

/** Nodes over HTTP. */
public final class NodesClient {
    private static final TypeReference<List<NodeStub>> STUBS = new TypeReference<>() {};
    private static final TypeReference<List<Allocation>> ALLOCATIONS = new TypeReference<>() {};

    private final CleatClient client;

    NodesClient(CleatClient client) {
        this.client = client;
    }

    public Answer<List<NodeStub>> list(Params params) throws UnexpectedAnswer, LinkTrouble {
        return client.get("/v1/nodes", params, STUBS);
    }

    public Answer<Node> get(String id, Params params) throws UnexpectedAnswer, LinkTrouble {
        return client.get("/v1/node/" + Params.escape(id), params, Node.class);
    }

    public Answer<List<Allocation>> allocations(String id, Params params)
            throws UnexpectedAnswer, LinkTrouble {
        return client.get("/v1/node/" + Params.escape(id) + "/allocations", params, ALLOCATIONS);
    }

    public NodeStats stats(String id, Params params) throws UnexpectedAnswer, LinkTrouble {
        return client.get("/v1/client/stats", params.with("node_id", id), NodeStats.class).body();
    }
}
