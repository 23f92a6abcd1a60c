package io.cleat.testkit;

import io.cleat.csi.v1.NodeExpandVolumeRequest;
import io.cleat.csi.v1.NodeExpandVolumeResponse;
import io.cleat.csi.v1.NodeGetCapabilitiesRequest;
import io.cleat.csi.v1.NodeGetCapabilitiesResponse;
import io.cleat.csi.v1.NodeGetInfoRequest;
import io.cleat.csi.v1.NodeGetInfoResponse;
import io.cleat.csi.v1.NodeGetStorageHealthRequest;
import io.cleat.csi.v1.NodeGetStorageHealthResponse;
import io.cleat.csi.v1.NodeGetVolumeHealthRequest;
import io.cleat.csi.v1.NodeGetVolumeHealthResponse;
import io.cleat.csi.v1.NodeGetVolumeStatsRequest;
import io.cleat.csi.v1.NodeGetVolumeStatsResponse;
import io.cleat.csi.v1.NodeGrpc;
import io.cleat.csi.v1.NodePublishVolumeRequest;
import io.cleat.csi.v1.NodePublishVolumeResponse;
import io.cleat.csi.v1.NodeServiceCapability;
import io.cleat.csi.v1.NodeStageVolumeRequest;
import io.cleat.csi.v1.NodeStageVolumeResponse;
import io.cleat.csi.v1.NodeUnpublishVolumeRequest;
import io.cleat.csi.v1.NodeUnpublishVolumeResponse;
import io.cleat.csi.v1.NodeUnstageVolumeRequest;
import io.cleat.csi.v1.NodeUnstageVolumeResponse;
import io.cleat.csi.v1.VolumeUsage;
import io.grpc.stub.StreamObserver;

/** The node service of the fake plugin. */
final class FakeNode extends NodeGrpc.NodeImplBase {
    private final FakeCsiPlugin plugin;

    FakeNode(FakeCsiPlugin plugin) {
        this.plugin = plugin;
    }

    @Override
    public void nodeStageVolume(NodeStageVolumeRequest request, StreamObserver<NodeStageVolumeResponse> caller) {
        NodeStageVolumeResponse done = NodeStageVolumeResponse.getDefaultInstance();
        plugin.handle(
                "NodeStageVolume",
                request,
                caller,
                asked -> {
                    plugin.memory().stage(asked, plugin.setup().effects());
                    return done;
                },
                done);
    }

    @Override
    public void nodeUnstageVolume(NodeUnstageVolumeRequest request, StreamObserver<NodeUnstageVolumeResponse> caller) {
        NodeUnstageVolumeResponse done = NodeUnstageVolumeResponse.getDefaultInstance();
        plugin.handle(
                "NodeUnstageVolume",
                request,
                caller,
                asked -> {
                    plugin.memory().unstage(asked, plugin.setup().effects());
                    return done;
                },
                done);
    }

    @Override
    public void nodePublishVolume(NodePublishVolumeRequest request, StreamObserver<NodePublishVolumeResponse> caller) {
        NodePublishVolumeResponse done = NodePublishVolumeResponse.getDefaultInstance();
        boolean stages = plugin.setup().node().contains(NodeServiceCapability.RPC.Type.STAGE_UNSTAGE_VOLUME);
        plugin.handle(
                "NodePublishVolume",
                request,
                caller,
                asked -> {
                    plugin.memory().publish(asked, stages, plugin.setup().effects());
                    return done;
                },
                done);
    }

    @Override
    public void nodeUnpublishVolume(
            NodeUnpublishVolumeRequest request, StreamObserver<NodeUnpublishVolumeResponse> caller) {
        NodeUnpublishVolumeResponse done = NodeUnpublishVolumeResponse.getDefaultInstance();
        plugin.handle(
                "NodeUnpublishVolume",
                request,
                caller,
                asked -> {
                    plugin.memory().unpublish(asked, plugin.setup().effects());
                    return done;
                },
                done);
    }

    @Override
    public void nodeGetVolumeStats(
            NodeGetVolumeStatsRequest request, StreamObserver<NodeGetVolumeStatsResponse> caller) {
        plugin.handle(
                "NodeGetVolumeStats",
                request,
                caller,
                asked -> {
                    long bytes = plugin.memory().sizeAt(asked.getVolumeId(), asked.getVolumePath());
                    NodeGetVolumeStatsResponse.Builder reply = NodeGetVolumeStatsResponse.newBuilder();
                    reply.addUsageBuilder()
                            .setUnit(VolumeUsage.Unit.BYTES)
                            .setTotal(bytes)
                            .setUsed(bytes / 4)
                            .setAvailable(bytes - bytes / 4);
                    reply.addUsageBuilder()
                            .setUnit(VolumeUsage.Unit.INODES)
                            .setTotal(1_000)
                            .setUsed(11)
                            .setAvailable(989);
                    return reply.build();
                },
                NodeGetVolumeStatsResponse.getDefaultInstance());
    }

    @Override
    public void nodeExpandVolume(NodeExpandVolumeRequest request, StreamObserver<NodeExpandVolumeResponse> caller) {
        plugin.handle(
                "NodeExpandVolume",
                request,
                caller,
                asked -> expanded(plugin.memory().expandAt(asked, plugin.setup().effects())),
                expanded(request.getCapacityRange().getRequiredBytes()));
    }

    private static NodeExpandVolumeResponse expanded(long bytes) {
        return NodeExpandVolumeResponse.newBuilder().setCapacityBytes(bytes).build();
    }

    @Override
    public void nodeGetVolumeHealth(
            NodeGetVolumeHealthRequest request, StreamObserver<NodeGetVolumeHealthResponse> caller) {
        NodeGetVolumeHealthResponse.Builder healthy = NodeGetVolumeHealthResponse.newBuilder();
        healthy.getVolumeHealthBuilder().setVolumeId(request.getVolumeId());
        NodeGetVolumeHealthResponse said = healthy.build();
        plugin.handle(
                "NodeGetVolumeHealth",
                request,
                caller,
                asked -> {
                    plugin.memory().get(asked.getVolumeId());
                    return said;
                },
                said);
    }

    @Override
    public void nodeGetStorageHealth(
            NodeGetStorageHealthRequest request, StreamObserver<NodeGetStorageHealthResponse> caller) {
        NodeGetStorageHealthResponse healthy = NodeGetStorageHealthResponse.getDefaultInstance();
        plugin.handle("NodeGetStorageHealth", request, caller, asked -> healthy, healthy);
    }

    @Override
    public void nodeGetCapabilities(
            NodeGetCapabilitiesRequest request, StreamObserver<NodeGetCapabilitiesResponse> caller) {
        NodeGetCapabilitiesResponse.Builder reply = NodeGetCapabilitiesResponse.newBuilder();
        for (NodeServiceCapability.RPC.Type type : plugin.setup().node()) {
            reply.addCapabilitiesBuilder().getRpcBuilder().setType(type);
        }
        NodeGetCapabilitiesResponse said = reply.build();
        plugin.handle("NodeGetCapabilities", request, caller, asked -> said, said);
    }

    @Override
    public void nodeGetInfo(NodeGetInfoRequest request, StreamObserver<NodeGetInfoResponse> caller) {
        NodeGetInfoResponse.Builder reply = NodeGetInfoResponse.newBuilder()
                .setNodeId(plugin.setup().nodeId())
                .setMaxVolumesPerNode(plugin.setup().maxVolumes());
        if (!plugin.setup().topology().isEmpty()) {
            reply.getAccessibleTopologyBuilder().putAllSegments(plugin.setup().topology());
        }
        NodeGetInfoResponse said = reply.build();
        plugin.handle("NodeGetInfo", request, caller, asked -> said, said);
    }
}
