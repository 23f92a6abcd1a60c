package io.cleat.api;

import io.cleat.base.LinkTrouble;
import java.util.List;
import tools.jackson.core.type.TypeReference;

/** Scaling policies over HTTP. */
public final class ScalingClient {
    private static final TypeReference<List<ScalingPolicyStub>> POLICIES = new TypeReference<>() {};

    private final CleatClient client;

    ScalingClient(CleatClient client) {
        this.client = client;
    }

    /**
     * By job and group.
     *
     * @param params with {@code job} and {@code type}; all without
     */
    public Answer<List<ScalingPolicyStub>> policies(Params params) throws UnexpectedAnswer, LinkTrouble {
        return client.get("/v1/scaling/policies", params, POLICIES);
    }

    public Answer<ScalingPolicy> policy(String id, Params params) throws UnexpectedAnswer, LinkTrouble {
        return client.get("/v1/scaling/policy/" + Params.escape(id), params, ScalingPolicy.class);
    }
}
