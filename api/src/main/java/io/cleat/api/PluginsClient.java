package io.cleat.api;

import io.cleat.base.LinkTrouble;
import java.util.List;
import tools.jackson.core.type.TypeReference;

/** Plugins over HTTP. */
public final class PluginsClient {
    private static final TypeReference<List<CsiPluginStub>> STUBS = new TypeReference<>() {};
    private static final TypeReference<List<PluginLane>> LANES = new TypeReference<>() {};

    private final CleatClient client;

    PluginsClient(CleatClient client) {
        this.client = client;
    }

    public Answer<List<CsiPluginStub>> list(Params params) throws UnexpectedAnswer, LinkTrouble {
        return client.get("/v1/plugins", params.with("type", "csi"), STUBS);
    }

    public Answer<CsiPlugin> get(String id, Params params) throws UnexpectedAnswer, LinkTrouble {
        return client.get("/v1/plugin/csi/" + Params.escape(id), params, CsiPlugin.class);
    }

    /** How busy the plugin's controller calls are, by kind. */
    public Answer<List<PluginLane>> lanes(String id, Params params) throws UnexpectedAnswer, LinkTrouble {
        return client.get("/v1/plugin/csi/" + Params.escape(id) + "/lanes", params, LANES);
    }
}
