package io.cleat.csi;

import io.cleat.base.Deadline;
import io.cleat.csi.v1.NodeExpandVolumeRequest;
import io.cleat.csi.v1.NodeGetCapabilitiesRequest;
import io.cleat.csi.v1.NodeGetInfoRequest;
import io.cleat.csi.v1.NodeGetVolumeStatsRequest;
import io.cleat.csi.v1.NodeGrpc;
import io.cleat.csi.v1.NodePublishVolumeRequest;
import io.cleat.csi.v1.NodeServiceCapability;
import io.cleat.csi.v1.NodeStageVolumeRequest;
import io.cleat.csi.v1.NodeUnpublishVolumeRequest;
import io.cleat.csi.v1.NodeUnstageVolumeRequest;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The node service of a plugin. Each call blocks and may be repeated with the same arguments; an interrupt leaves its
 * effect unknown.
 */
public final class NodeClient {
    private static final String SERVICE = "Node";

    private final Tries tries;
    private final Abilities<NodeCapability> abilities;

    NodeClient(Tries tries) {
        this.tries = tries;
        this.abilities = tries.abilities(this::capabilities);
    }

    Abilities<NodeCapability> abilities() {
        return abilities;
    }

    /** NodeStageVolume. */
    public void stage(NodeStaging staging, Deadline deadline) throws CsiTrouble, InterruptedException {
        NodeStageVolumeRequest request = NodeStageVolumeRequest.newBuilder()
                .setVolumeId(staging.volumeId())
                .putAllPublishContext(staging.publishContext().reveal())
                .setStagingTargetPath(staging.stagingPath())
                .setVolumeCapability(Wire.use(staging.use()))
                .putAllSecrets(staging.secrets().reveal())
                .putAllVolumeContext(staging.volumeContext())
                .build();
        tries.make(
                Call.change(
                        SERVICE,
                        NodeGrpc.getNodeStageVolumeMethod(),
                        request,
                        Call.volume(staging.volumeId()),
                        Call.hidden(staging.secrets(), staging.publishContext(), List.of(staging.use())),
                        Replies::nothing),
                deadline);
    }

    /** NodeUnstageVolume. */
    public Removal unstage(String volumeId, String stagingPath, Deadline deadline)
            throws CsiTrouble, InterruptedException {
        NodeUnstageVolumeRequest request = NodeUnstageVolumeRequest.newBuilder()
                .setVolumeId(volumeId)
                .setStagingTargetPath(stagingPath)
                .build();
        return tries.remove(
                Call.change(
                        SERVICE,
                        NodeGrpc.getNodeUnstageVolumeMethod(),
                        request,
                        Call.volume(volumeId),
                        List.of(),
                        Replies::nothing),
                deadline);
    }

    /** NodePublishVolume. */
    public void publish(NodePublication publication, Deadline deadline) throws CsiTrouble, InterruptedException {
        NodePublishVolumeRequest request = NodePublishVolumeRequest.newBuilder()
                .setVolumeId(publication.volumeId())
                .putAllPublishContext(publication.publishContext().reveal())
                .setStagingTargetPath(publication.stagingPath())
                .setTargetPath(publication.targetPath())
                .setVolumeCapability(Wire.use(publication.use()))
                .setReadonly(publication.readOnly())
                .putAllSecrets(publication.secrets().reveal())
                .putAllVolumeContext(publication.volumeContext())
                .build();
        tries.make(
                Call.change(
                        SERVICE,
                        NodeGrpc.getNodePublishVolumeMethod(),
                        request,
                        Call.volume(publication.volumeId()),
                        Call.hidden(publication.secrets(), publication.publishContext(), List.of(publication.use())),
                        Replies::nothing),
                deadline);
    }

    /** NodeUnpublishVolume. */
    public Removal unpublish(String volumeId, String targetPath, Deadline deadline)
            throws CsiTrouble, InterruptedException {
        NodeUnpublishVolumeRequest request = NodeUnpublishVolumeRequest.newBuilder()
                .setVolumeId(volumeId)
                .setTargetPath(targetPath)
                .build();
        return tries.remove(
                Call.change(
                        SERVICE,
                        NodeGrpc.getNodeUnpublishVolumeMethod(),
                        request,
                        Call.volume(volumeId),
                        List.of(),
                        Replies::nothing),
                deadline);
    }

    /**
     * NodeExpandVolume, only at a node with EXPAND_VOLUME. A volume that is as large already is left as it is.
     *
     * @return the size in bytes now; empty where the plugin does not say
     */
    public OptionalLong expand(NodeExpansion expansion, Deadline deadline) throws CsiTrouble, InterruptedException {
        NodeExpandVolumeRequest.Builder request = NodeExpandVolumeRequest.newBuilder()
                .setVolumeId(expansion.volumeId())
                .setVolumePath(expansion.volumePath())
                .setStagingTargetPath(expansion.stagingPath())
                .putAllSecrets(expansion.secrets().reveal());
        if (expansion.capacity().isBounded()) {
            request.setCapacityRange(Wire.range(expansion.capacity()));
        }
        expansion.use().ifPresent(use -> request.setVolumeCapability(Wire.use(use)));
        var call = Call.change(
                SERVICE,
                NodeGrpc.getNodeExpandVolumeMethod(),
                request.build(),
                Call.volume(expansion.volumeId()),
                Call.hidden(
                        expansion.secrets(),
                        PublishContext.none(),
                        expansion.use().stream().toList()),
                NodeReplies::expanded);
        abilities.require(NodeCapability.EXPAND_VOLUME, call, deadline);
        return tries.make(call, deadline);
    }

    /**
     * NodeGetVolumeStats, only at a node with GET_VOLUME_STATS.
     *
     * @param volumePath where it is published or staged, as the plugin sees it
     * @param stagingPath as sent when it was staged; empty for a plugin that does not stage
     */
    public VolumeStats stats(String volumeId, String volumePath, String stagingPath, Deadline deadline)
            throws CsiTrouble, InterruptedException {
        NodeGetVolumeStatsRequest request = NodeGetVolumeStatsRequest.newBuilder()
                .setVolumeId(volumeId)
                .setVolumePath(volumePath)
                .setStagingTargetPath(stagingPath)
                .build();
        var call = Call.look(
                SERVICE,
                NodeGrpc.getNodeGetVolumeStatsMethod(),
                request,
                Call.volume(volumeId),
                List.of(),
                NodeReplies::stats);
        abilities.require(NodeCapability.GET_VOLUME_STATS, call, deadline);
        return tries.make(call, deadline);
    }

    /** NodeGetInfo. */
    public NodeIdentity info(Deadline deadline) throws CsiTrouble, InterruptedException {
        return tries.make(
                Call.look(
                        SERVICE,
                        NodeGrpc.getNodeGetInfoMethod(),
                        NodeGetInfoRequest.getDefaultInstance(),
                        "",
                        List.of(),
                        NodeReplies::identity),
                deadline);
    }

    /** NodeGetCapabilities; those that this version does not know are left out. */
    public Set<NodeCapability> capabilities(Deadline deadline) throws CsiTrouble, InterruptedException {
        return tries.make(
                Call.look(
                        SERVICE,
                        NodeGrpc.getNodeGetCapabilitiesMethod(),
                        NodeGetCapabilitiesRequest.getDefaultInstance(),
                        "",
                        List.of(),
                        reply -> known(reply.getCapabilitiesList())),
                deadline);
    }

    private static Set<NodeCapability> known(List<NodeServiceCapability> said) {
        var rpcs = said.stream().map(NodeServiceCapability::getRpc).toList();
        Set<NodeCapability> found = Wire.known(
                NodeCapability.class,
                rpcs.stream().map(NodeServiceCapability.RPC::getType).toList());
        if (rpcs.stream().anyMatch(rpc -> rpc.getTypeValue() == OldCondition.NODE_CAPABILITY)) {
            found.add(NodeCapability.VOLUME_CONDITION);
        }
        return found;
    }
}
