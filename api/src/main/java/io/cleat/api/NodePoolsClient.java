package io.cleat.api;

import io.cleat.base.LinkTrouble;
import java.util.List;
import tools.jackson.core.type.TypeReference;

/** Node pools over HTTP. */
public final class NodePoolsClient {
    private static final TypeReference<List<NodePool>> POOLS = new TypeReference<>() {};
    private static final TypeReference<List<NodeStub>> NODES = new TypeReference<>() {};
    private static final TypeReference<List<JobStub>> JOBS = new TypeReference<>() {};

    private final CleatClient client;

    NodePoolsClient(CleatClient client) {
        this.client = client;
    }

    /** By name. */
    public Answer<List<NodePool>> list(Params params) throws UnexpectedAnswer, LinkTrouble {
        return client.get("/v1/node/pools", params, POOLS);
    }

    public Answer<List<NodeStub>> nodes(String name, Params params) throws UnexpectedAnswer, LinkTrouble {
        return client.get(path(name) + "/nodes", params, NODES);
    }

    public Answer<List<JobStub>> jobs(String name, Params params) throws UnexpectedAnswer, LinkTrouble {
        return client.get(path(name) + "/jobs", params, JOBS);
    }

    private static String path(String name) {
        return "/v1/node/pool/" + Params.escape(name);
    }
}
