package io.cleat.csi;

import io.cleat.base.Deadline;
import io.cleat.csi.v1.NodeGetCapabilitiesRequest;
import io.cleat.csi.v1.NodeGetInfoRequest;
import io.cleat.csi.v1.NodeGrpc;
import io.cleat.csi.v1.NodePublishVolumeRequest;
import io.cleat.csi.v1.NodeServiceCapability;
import io.cleat.csi.v1.NodeStageVolumeRequest;
import io.cleat.csi.v1.NodeUnpublishVolumeRequest;
import io.cleat.csi.v1.NodeUnstageVolumeRequest;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The node service of a plugin. Each call blocks and may be repeated with the same arguments; an
 * interrupt leaves its effect unknown.
 */
public final class NodeClient {
    private static final String SERVICE = "Node";

    private final Tries tries;

    NodeClient(Tries tries) {
        this.tries = tries;
    }

    /** NodeStageVolume. */
    public void stage(NodeStaging staging, Deadline deadline)
            throws CsiTrouble, InterruptedException {
        NodeStageVolumeRequest request =
                NodeStageVolumeRequest.newBuilder()
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
                        Call.hidden(
                                staging.secrets(),
                                staging.publishContext(),
                                List.of(staging.use())),
                        Replies::nothing),
                deadline);
    }

    /** NodeUnstageVolume. */
    public Removal unstage(String volumeId, String stagingPath, Deadline deadline)
            throws CsiTrouble, InterruptedException {
        NodeUnstageVolumeRequest request =
                NodeUnstageVolumeRequest.newBuilder()
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
    public void publish(NodePublication publication, Deadline deadline)
            throws CsiTrouble, InterruptedException {
        NodePublishVolumeRequest request =
                NodePublishVolumeRequest.newBuilder()
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
                        Call.hidden(
                                publication.secrets(),
                                publication.publishContext(),
                                List.of(publication.use())),
                        Replies::nothing),
                deadline);
    }

    /** NodeUnpublishVolume. */
    public Removal unpublish(String volumeId, String targetPath, Deadline deadline)
            throws CsiTrouble, InterruptedException {
        NodeUnpublishVolumeRequest request =
                NodeUnpublishVolumeRequest.newBuilder()
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

    /** NodeGetInfo. */
    public NodeIdentity info(Deadline deadline) throws CsiTrouble, InterruptedException {
        return tries.make(
                Call.look(
                        SERVICE,
                        NodeGrpc.getNodeGetInfoMethod(),
                        NodeGetInfoRequest.getDefaultInstance(),
                        "",
                        List.of(),
                        reply -> {
                            long max =
                                    Replies.size(
                                            "max_volumes_per_node", reply.getMaxVolumesPerNode());
                            return new NodeIdentity(
                                    Replies.id("node_id", reply.getNodeId()),
                                    max == 0 ? Long.MAX_VALUE : max,
                                    reply.hasAccessibleTopology()
                                            ? Optional.of(
                                                    Wire.topology(reply.getAccessibleTopology()))
                                            : Optional.empty());
                        }),
                deadline);
    }

    /** NodeGetCapabilities; those that this version does not know are left out. */
    public Set<NodeCapability> capabilities(Deadline deadline)
            throws CsiTrouble, InterruptedException {
        return tries.make(
                Call.look(
                        SERVICE,
                        NodeGrpc.getNodeGetCapabilitiesMethod(),
                        NodeGetCapabilitiesRequest.getDefaultInstance(),
                        "",
                        List.of(),
                        reply ->
                                Wire.known(
                                        NodeCapability.class,
                                        reply.getCapabilitiesList().stream()
                                                .map(NodeServiceCapability::getRpc)
                                                .map(NodeServiceCapability.RPC::getType)
                                                .toList())),
                deadline);
    }
}
