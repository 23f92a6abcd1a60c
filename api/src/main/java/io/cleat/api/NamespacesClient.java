package io.cleat.api;

import io.cleat.base.LinkTrouble;
import java.util.List;
import java.util.Map;
import tools.jackson.core.type.TypeReference;

/** Namespaces over HTTP. */
public final class NamespacesClient {
    private static final TypeReference<List<Namespace>> LIST = new TypeReference<>() {};

    private final CleatClient client;

    NamespacesClient(CleatClient client) {
        this.client = client;
    }

    /** By name. */
    public Answer<List<Namespace>> list(Params params) throws UnexpectedAnswer, LinkTrouble {
        return client.get("/v1/namespaces", params, LIST);
    }

    public Answer<Namespace> get(String name, Params params) throws UnexpectedAnswer, LinkTrouble {
        return client.get(path(name), params, Namespace.class);
    }

    /** Makes a namespace, or says something else of one. */
    public void apply(Namespace wanted) throws UnexpectedAnswer, LinkTrouble {
        client.send("PUT", path(wanted.Name()), Params.none(), wanted);
    }

    /** Forgets a namespace that nothing is in. */
    public void delete(String name) throws UnexpectedAnswer, LinkTrouble {
        client.send("DELETE", path(name), Params.none(), Map.of());
    }

    private static String path(String name) {
        return "/v1/namespace/" + Params.escape(name);
    }
}
