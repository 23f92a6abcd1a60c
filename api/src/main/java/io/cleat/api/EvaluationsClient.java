package io.cleat.api;

import io.cleat.base.LinkTrouble;
import java.util.List;
import tools.jackson.core.type.TypeReference;

/** Evaluations over HTTP. */
public final class EvaluationsClient {
    private static final TypeReference<List<Evaluation>> LIST = new TypeReference<>() {};

    private final CleatClient client;

    EvaluationsClient(CleatClient client) {
        this.client = client;
    }

    public Answer<List<Evaluation>> list(Params params) throws UnexpectedAnswer, LinkTrouble {
        return client.get("/v1/evaluations", params, LIST);
    }

    /** @param related whether to add those that led to it or followed from it */
    public Answer<Evaluation> get(String id, boolean related, Params params) throws UnexpectedAnswer, LinkTrouble {
        return client.get(path(id), params.with("related", related), Evaluation.class);
    }

    public Answer<List<AllocationStub>> allocations(String id, Params params) throws UnexpectedAnswer, LinkTrouble {
        return client.get(path(id) + "/allocations", params, AllocationsClient.STUBS);
    }

    /** How many there are; {@code filter} in the params says which. */
    public EvalCountResponse count(Params params) throws UnexpectedAnswer, LinkTrouble {
        return client.get("/v1/evaluations/count", params, EvalCountResponse.class)
                .body();
    }

    /**
     * Deletes evaluations that nothing needs.
     *
     * @throws UnexpectedAnswer one of the named ones is needed, or is not there: nothing is deleted
     */
    public EvalDeleteResponse delete(EvalDeleteRequest request, Params params) throws UnexpectedAnswer, LinkTrouble {
        return client.delete("/v1/evaluations", params, request, EvalDeleteResponse.class)
                .body();
    }

    private static String path(String id) {
        return "/v1/evaluation/" + Params.escape(id);
    }
}
