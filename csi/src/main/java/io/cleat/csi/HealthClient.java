package io.cleat.csi;

import io.cleat.base.Deadline;
import io.cleat.base.Secrets;
import io.cleat.csi.v1.ControllerGetVolumeHealthRequest;
import io.cleat.csi.v1.ControllerGrpc;
import io.cleat.csi.v1.ControllerListVolumeHealthRequest;
import io.cleat.csi.v1.ControllerListVolumeHealthResponse;
import io.cleat.csi.v1.NodeGetStorageHealthRequest;
import io.cleat.csi.v1.NodeGetStorageHealthResponse;
import io.cleat.csi.v1.NodeGetVolumeHealthRequest;
import io.cleat.csi.v1.NodeGrpc;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a plugin's controller and node services know to be wrong with volumes and with the way to them. These calls
 * change nothing. A call whose capability is not announced is not sent.
 *
 * <p>They are new in CSI 1.13; plugins before it tell a {@link VolumeCondition} with other calls.
 */
public final class HealthClient {
    private final Tries tries;
    private final Abilities<ControllerCapability> controller;
    private final Abilities<NodeCapability> node;

    HealthClient(Tries tries, Abilities<ControllerCapability> controller, Abilities<NodeCapability> node) {
        this.tries = tries;
        this.controller = controller;
        this.node = node;
    }

    /** ControllerGetVolumeHealth. */
    public VolumeHealth seenByController(String volumeId, Secrets secrets, Deadline deadline)
            throws CsiTrouble, InterruptedException {
        ControllerGetVolumeHealthRequest request = ControllerGetVolumeHealthRequest.newBuilder()
                .setVolumeId(volumeId)
                .putAllSecrets(secrets.reveal())
                .build();
        List<String> hidden = Call.hidden(secrets);
        var call = Call.look(
                "Controller",
                ControllerGrpc.getControllerGetVolumeHealthMethod(),
                request,
                Call.volume(volumeId),
                hidden,
                reply -> of(volumeId, reply.hasVolumeHealth(), reply.getVolumeHealth(), hidden));
        controller.require(ControllerCapability.GET_VOLUME_HEALTH, call, deadline);
        return tries.make(call, deadline);
    }

    /**
     * ControllerListVolumeHealth: one page.
     *
     * @param maxEntries 0 for no limit; a plugin may ignore it
     * @param startingToken of the page before; empty for the first
     */
    public HealthPage listedByController(int maxEntries, String startingToken, Secrets secrets, Deadline deadline)
            throws CsiTrouble, InterruptedException {
        ControllerListVolumeHealthRequest request = ControllerListVolumeHealthRequest.newBuilder()
                .setMaxEntries(maxEntries)
                .setStartingToken(startingToken)
                .putAllSecrets(secrets.reveal())
                .build();
        List<String> hidden = Call.hidden(secrets);
        var call = Call.look(
                "Controller",
                ControllerGrpc.getControllerListVolumeHealthMethod(),
                request,
                "",
                hidden,
                reply -> page(reply, startingToken, hidden));
        controller.require(ControllerCapability.LIST_VOLUME_HEALTH, call, deadline);
        return tries.make(call, deadline);
    }

    /**
     * NodeGetVolumeHealth.
     *
     * @param publishPath where it is published, as the plugin sees it
     * @param stagingPath as sent when it was staged; empty for a plugin that does not stage
     */
    public VolumeHealth seenByNode(String volumeId, String publishPath, String stagingPath, Deadline deadline)
            throws CsiTrouble, InterruptedException {
        NodeGetVolumeHealthRequest request = NodeGetVolumeHealthRequest.newBuilder()
                .setVolumeId(volumeId)
                .setVolumePublishPath(publishPath)
                .setStagingTargetPath(stagingPath)
                .build();
        var call = Call.look(
                "Node",
                NodeGrpc.getNodeGetVolumeHealthMethod(),
                request,
                Call.volume(volumeId),
                List.of(),
                reply -> of(volumeId, reply.hasVolumeHealth(), reply.getVolumeHealth(), List.of()));
        node.require(NodeCapability.GET_VOLUME_HEALTH, call, deadline);
        return tries.make(call, deadline);
    }

    /** NodeGetStorageHealth; empty where nothing is known to be wrong. */
    public List<StorageHealth> storageSeenByNode(Secrets secrets, Deadline deadline)
            throws CsiTrouble, InterruptedException {
        NodeGetStorageHealthRequest request = NodeGetStorageHealthRequest.newBuilder()
                .putAllSecrets(secrets.reveal())
                .build();
        List<String> hidden = Call.hidden(secrets);
        var call = Call.look(
                "Node", NodeGrpc.getNodeGetStorageHealthMethod(), request, "", hidden, reply -> storage(reply, hidden));
        node.require(NodeCapability.GET_STORAGE_HEALTH, call, deadline);
        return tries.make(call, deadline);
    }

    private static VolumeHealth of(
            String volumeId, boolean present, io.cleat.csi.v1.VolumeHealth health, List<String> hidden)
            throws BadReply {
        if (!present) {
            throw new BadReply("has no volume_health");
        }
        VolumeHealth read = health(health, hidden);
        if (!read.volumeId().equals(volumeId)) {
            throw new BadReply("has the health of another volume, " + Words.quoted(read.volumeId()));
        }
        return read;
    }

    private static VolumeHealth health(io.cleat.csi.v1.VolumeHealth health, List<String> hidden) throws BadReply {
        String volumeId = Replies.id("volume_id", health.getVolumeId());
        List<VolumeHealth.Finding> findings = new ArrayList<>();
        for (var entry : health.getHealthStatusesList()) {
            Wire.sameName(VolumeHealth.Kind.class, entry.getStatus())
                    .ifPresent(kind -> findings.add(new VolumeHealth.Finding(
                            kind,
                            Words.cleaned(entry.getReason(), hidden),
                            Words.cleaned(entry.getMessage(), hidden))));
        }
        return new VolumeHealth(volumeId, findings);
    }

    private static HealthPage page(ControllerListVolumeHealthResponse reply, String from, List<String> hidden)
            throws BadReply {
        List<VolumeHealth> entries = new ArrayList<>();
        for (io.cleat.csi.v1.VolumeHealth entry : reply.getEntriesList()) {
            entries.add(health(entry, hidden));
        }
        return new HealthPage(entries, Replies.nextToken(reply.getNextToken(), from));
    }

    private static List<StorageHealth> storage(NodeGetStorageHealthResponse reply, List<String> hidden)
            throws BadReply {
        List<StorageHealth> found = new ArrayList<>();
        for (var entry : reply.getBackendHealthList()) {
            Optional<VolumeUse> use =
                    entry.hasVolumeCapability() ? Optional.of(Wire.use(entry.getVolumeCapability())) : Optional.empty();
            Wire.sameName(StorageHealth.Kind.class, entry.getStatus())
                    .ifPresent(kind -> found.add(new StorageHealth(
                            kind,
                            Words.cleaned(entry.getReason(), hidden),
                            Words.cleaned(entry.getMessage(), hidden),
                            use)));
        }
        return found;
    }
}
