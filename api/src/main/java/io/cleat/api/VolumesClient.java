package io.cleat.api;

import io.cleat.base.LinkTrouble;
import io.cleat.base.Secrets;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import tools.jackson.core.type.TypeReference;

/** Volumes over HTTP. */
public final class VolumesClient {
    private static final TypeReference<List<CsiVolumeStub>> STUBS = new TypeReference<>() {};

    private static final TypeReference<List<VolumeOperation>> OPERATIONS = new TypeReference<>() {};

    private final CleatClient client;

    VolumesClient(CleatClient client) {
        this.client = client;
    }

    public Answer<List<CsiVolumeStub>> list(Params params) throws UnexpectedAnswer, LinkTrouble {
        return client.get("/v1/volumes", params.with("type", "csi"), STUBS);
    }

    public Answer<CsiVolume> get(String id, Params params) throws UnexpectedAnswer, LinkTrouble {
        return client.get(path(id), params, CsiVolume.class);
    }

    public Answer<VolumeWhy> why(String id, Params params) throws UnexpectedAnswer, LinkTrouble {
        return client.get(path(id) + "/why", params, VolumeWhy.class);
    }

    /**
     * The calls that are not settled.
     *
     * @param about the id of a volume or snapshot; empty for all
     */
    public Answer<List<VolumeOperation>> operations(String about, Params params) throws UnexpectedAnswer, LinkTrouble {
        return client.get("/v1/volumes/operations", params.with("about", about), OPERATIONS);
    }

    /** Has a call undone that makes or deletes a volume or a snapshot. */
    public VolumeOperationCancelResponse cancel(String operationId, Params params)
            throws UnexpectedAnswer, LinkTrouble {
        return client.put(
                        "/v1/volumes/operation/" + Params.escape(operationId) + "/cancel",
                        params,
                        Map.of(),
                        VolumeOperationCancelResponse.class)
                .body();
    }

    public Answer<CsiVolumeResponse> register(CsiVolumeRequest request, Params params)
            throws UnexpectedAnswer, LinkTrouble {
        return client.put("/v1/volumes", params, request, CsiVolumeResponse.class);
    }

    /** Creates the request's volumes; the path names the first. */
    public Answer<CsiVolumeResponse> create(CsiVolumeRequest request, Params params)
            throws UnexpectedAnswer, LinkTrouble {
        List<CsiVolume> volumes = request.Volumes();
        String id =
                volumes == null || volumes.isEmpty() ? "" : volumes.getFirst().ID();
        return client.put(path(id) + "/create", params, request, CsiVolumeResponse.class);
    }

    public AnswerMeta deregister(String id, boolean force, Params params) throws UnexpectedAnswer, LinkTrouble {
        return client.send("DELETE", path(id), params.with("force", force), Map.of());
    }

    /** @param secrets laid over the stored ones; a value cannot hold a comma */
    public AnswerMeta delete(String id, Secrets secrets, Params params) throws UnexpectedAnswer, LinkTrouble {
        return client.send("DELETE", path(id) + "/delete", params, field(secrets));
    }

    private static Map<String, String> field(Secrets secrets) {
        return Map.of(
                "X-Nomad-CSI-Secrets",
                secrets.reveal().entrySet().stream()
                        .map(secret -> secret.getKey() + "=" + secret.getValue())
                        .collect(Collectors.joining(",")));
    }

    public Answer<CsiSnapshotResponse> createSnapshots(CsiSnapshotRequest request, Params params)
            throws UnexpectedAnswer, LinkTrouble {
        return client.put("/v1/volumes/snapshot", params, request, CsiSnapshotResponse.class);
    }

    /** @param secrets for the plugin; a value cannot hold a comma */
    public Answer<CsiSnapshotResponse> snapshots(String pluginId, Secrets secrets, Params params)
            throws UnexpectedAnswer, LinkTrouble {
        return client.get(
                "/v1/volumes/snapshot", params.with("plugin_id", pluginId), field(secrets), CsiSnapshotResponse.class);
    }

    /** @param secrets for the plugin; a value cannot hold a comma */
    public AnswerMeta deleteSnapshot(String pluginId, String snapshotId, Secrets secrets, Params params)
            throws UnexpectedAnswer, LinkTrouble {
        return client.send(
                "DELETE",
                "/v1/volumes/snapshot",
                params.with("plugin_id", pluginId).with("snapshot_id", snapshotId),
                field(secrets));
    }

    /**
     * @param abandon gives up a release whose outcome stays unknown
     * @param machineIsOff name or id of the node whose machine is said to be off; empty for no such word
     */
    public AnswerMeta detach(String id, String nodeId, boolean abandon, String machineIsOff, Params params)
            throws UnexpectedAnswer, LinkTrouble {
        return client.send(
                "DELETE",
                path(id) + "/detach",
                params.with("node", nodeId).with("abandon", abandon).with("machine_is_off", machineIsOff),
                Map.of());
    }

    public Answer<ExternalVolumeResponse> external(String pluginId, Params params)
            throws UnexpectedAnswer, LinkTrouble {
        return client.get("/v1/volumes/external", params.with("plugin_id", pluginId), ExternalVolumeResponse.class);
    }

    private static String path(String id) {
        return "/v1/volume/csi/" + Params.escape(id);
    }
}
