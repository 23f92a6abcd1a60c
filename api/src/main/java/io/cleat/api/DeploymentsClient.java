package io.cleat.api;

import io.cleat.base.LinkTrouble;
import java.util.List;
import tools.jackson.core.type.TypeReference;

/** Deployments over HTTP. */
public final class DeploymentsClient {
    static final TypeReference<List<Deployment>> LIST = new TypeReference<>() {};

    private final CleatClient client;

    DeploymentsClient(CleatClient client) {
        this.client = client;
    }

    public Answer<List<Deployment>> list(Params params) throws UnexpectedAnswer, LinkTrouble {
        return client.get("/v1/deployments", params, LIST);
    }

    public Answer<Deployment> get(String id, Params params) throws UnexpectedAnswer, LinkTrouble {
        return client.get("/v1/deployment/" + Params.escape(id), params, Deployment.class);
    }

    public Answer<List<AllocationStub>> allocations(String id, Params params) throws UnexpectedAnswer, LinkTrouble {
        return client.get(path("allocations", id), params, AllocationsClient.STUBS);
    }

    public DeploymentUpdateResponse pause(String id, boolean pause, Params params)
            throws UnexpectedAnswer, LinkTrouble {
        return put("pause", id, new DeploymentPauseRequest(id, pause), params);
    }

    /** @param groups empty for all */
    public DeploymentUpdateResponse promote(String id, List<String> groups, Params params)
            throws UnexpectedAnswer, LinkTrouble {
        return put("promote", id, new DeploymentPromoteRequest(groups.isEmpty(), id, groups), params);
    }

    public DeploymentUpdateResponse fail(String id, Params params) throws UnexpectedAnswer, LinkTrouble {
        return put("fail", id, new DeploymentRequest(id), params);
    }

    private DeploymentUpdateResponse put(String verb, String id, Object body, Params params)
            throws UnexpectedAnswer, LinkTrouble {
        return client.put(path(verb, id), params, body, DeploymentUpdateResponse.class)
                .body();
    }

    private static String path(String verb, String id) {
        return "/v1/deployment/" + verb + "/" + Params.escape(id);
    }
}
