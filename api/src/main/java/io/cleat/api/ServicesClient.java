package io.cleat.api;

import io.cleat.base.LinkTrouble;
import java.util.List;
import java.util.Map;
import tools.jackson.core.type.TypeReference;

/** Services over HTTP. */
public final class ServicesClient {
    private static final TypeReference<List<NamespaceServices>> NAMES = new TypeReference<>() {};
    private static final TypeReference<List<ServiceRegistration>> PLACES = new TypeReference<>() {};

    private final CleatClient client;

    ServicesClient(CleatClient client) {
        this.client = client;
    }

    /** Which services there are, by namespace and name. */
    public Answer<List<NamespaceServices>> list(Params params) throws UnexpectedAnswer, LinkTrouble {
        return client.get("/v1/services", params, NAMES);
    }

    /** Where a service is found. */
    public Answer<List<ServiceRegistration>> get(String name, Params params) throws UnexpectedAnswer, LinkTrouble {
        return client.get("/v1/service/" + Params.escape(name), params, PLACES);
    }

    /** Takes one place of a service out. */
    public AnswerMeta delete(String name, String id, Params params) throws UnexpectedAnswer, LinkTrouble {
        return client.send("DELETE", "/v1/service/" + Params.escape(name) + "/" + Params.escape(id), params, Map.of());
    }
}
