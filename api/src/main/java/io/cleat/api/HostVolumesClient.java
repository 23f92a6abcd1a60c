package io.cleat.api;

import io.cleat.base.LinkTrouble;
import java.util.List;
import java.util.Map;
import tools.jackson.core.type.TypeReference;

/** Dynamic host volumes over HTTP. */
public final class HostVolumesClient {
    private static final TypeReference<List<HostVolumeStub>> STUBS = new TypeReference<>() {};
    private static final TypeReference<List<HostVolumeClaim>> CLAIMS = new TypeReference<>() {};

    private final CleatClient client;

    HostVolumesClient(CleatClient client) {
        this.client = client;
    }

    /** Those whose name or id begins with the prefix. */
    public Answer<List<HostVolumeStub>> list(Params params) throws UnexpectedAnswer, LinkTrouble {
        return client.get("/v1/volumes", params.with("type", "host"), STUBS);
    }

    public Answer<HostVolume> get(String id, Params params) throws UnexpectedAnswer, LinkTrouble {
        return client.get(path(id), params, HostVolume.class);
    }

    /** Has a node make one. */
    public HostVolumeResponse create(HostVolume volume, Params params) throws UnexpectedAnswer, LinkTrouble {
        return put("create", volume, params);
    }

    /** Takes in a directory that a node has. */
    public HostVolumeResponse register(HostVolume volume, Params params) throws UnexpectedAnswer, LinkTrouble {
        return put("register", volume, params);
    }

    private HostVolumeResponse put(String what, HostVolume volume, Params params) throws UnexpectedAnswer, LinkTrouble {
        return client.put(
                        "/v1/volume/host/" + what,
                        params,
                        new HostVolumeRequest(false, volume),
                        HostVolumeResponse.class)
                .body();
    }

    /** @param force forgets one whose node is not known any more */
    public AnswerMeta delete(String id, boolean force, Params params) throws UnexpectedAnswer, LinkTrouble {
        return client.send("DELETE", path(id), params.with("force", force), Map.of());
    }

    /** Which host volumes task groups keep; those whose id begins with the prefix. */
    public Answer<List<HostVolumeClaim>> claims(Params params) throws UnexpectedAnswer, LinkTrouble {
        return client.get("/v1/volumes/claims", params, CLAIMS);
    }

    /** Lets a group have another volume. */
    public AnswerMeta deleteClaim(String id, Params params) throws UnexpectedAnswer, LinkTrouble {
        return client.send("DELETE", "/v1/volumes/claim/" + Params.escape(id), params, Map.of());
    }

    private static String path(String id) {
        return "/v1/volume/host/" + Params.escape(id);
    }
}
