package io.cleat.localplugin;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.cleat.csi.v1.CapacityRange;
import io.cleat.csi.v1.ControllerExpandVolumeRequest;
import io.cleat.csi.v1.ControllerExpandVolumeResponse;
import io.cleat.csi.v1.ControllerGrpc;
import io.cleat.csi.v1.ControllerPublishVolumeRequest;
import io.cleat.csi.v1.ControllerUnpublishVolumeRequest;
import io.cleat.csi.v1.CreateSnapshotRequest;
import io.cleat.csi.v1.CreateVolumeRequest;
import io.cleat.csi.v1.DeleteSnapshotRequest;
import io.cleat.csi.v1.DeleteVolumeRequest;
import io.cleat.csi.v1.GroupControllerGrpc;
import io.cleat.csi.v1.IdentityGrpc;
import io.cleat.csi.v1.NodeExpandVolumeRequest;
import io.cleat.csi.v1.NodeExpandVolumeResponse;
import io.cleat.csi.v1.NodeGetVolumeStatsRequest;
import io.cleat.csi.v1.NodeGrpc;
import io.cleat.csi.v1.NodePublishVolumeRequest;
import io.cleat.csi.v1.NodeStageVolumeRequest;
import io.cleat.csi.v1.NodeUnpublishVolumeRequest;
import io.cleat.csi.v1.NodeUnstageVolumeRequest;
import io.cleat.csi.v1.Snapshot;
import io.cleat.csi.v1.VolumeCapability;
import io.cleat.csi.v1.VolumeCapability.AccessMode.Mode;
import io.cleat.csi.v1.VolumeUsage;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** An orchestrator: calls the plugin on its socket. */
final class Caller implements AutoCloseable {
    /** Each waits 2 s. */
    private static final int MOST_TRIES = 30;

    static final VolumeCapability WRITER = AccessTest.mount(Mode.SINGLE_NODE_WRITER, "");
    static final VolumeCapability SHARED = AccessTest.mount(Mode.MULTI_NODE_MULTI_WRITER, "");

    static final VolumeCapability DEVICE = AccessTest.block(Mode.SINGLE_NODE_WRITER);

    /** How the one writer of a volume of {@code type} uses it. */
    static VolumeCapability writer(VolumeType type) {
        return type == VolumeType.BLOCK ? DEVICE : WRITER;
    }

    private final EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final ManagedChannel channel;

    Caller(Path socket) {
        channel = NettyChannelBuilder.forAddress(UnixDomainSocketAddress.of(socket))
                .eventLoopGroup(loop)
                .channelType(NioDomainSocketChannel.class)
                .overrideAuthority("localhost")
                .usePlaintext()
                .build();
    }

    IdentityGrpc.IdentityBlockingStub identity() {
        return IdentityGrpc.newBlockingStub(channel).withDeadlineAfter(60, TimeUnit.SECONDS);
    }

    GroupControllerGrpc.GroupControllerBlockingStub groups() {
        return GroupControllerGrpc.newBlockingStub(channel).withDeadlineAfter(60, TimeUnit.SECONDS);
    }

    ControllerGrpc.ControllerBlockingStub controller() {
        return ControllerGrpc.newBlockingStub(channel).withDeadlineAfter(60, TimeUnit.SECONDS);
    }

    NodeGrpc.NodeBlockingStub node() {
        return NodeGrpc.newBlockingStub(channel).withDeadlineAfter(60, TimeUnit.SECONDS);
    }

    static CreateVolumeRequest createRequest(String name, VolumeType type, long bytes) {
        return CreateVolumeRequest.newBuilder()
                .setName(name)
                .putParameters("type", type.word())
                .addVolumeCapabilities(writer(type))
                .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(bytes))
                .putSecrets("password", "hunter2")
                .build();
    }

    String create(String name, VolumeType type, long bytes) {
        return controller()
                .createVolume(createRequest(name, type, bytes))
                .getVolume()
                .getVolumeId();
    }

    Map<String, String> attach(String id, VolumeCapability capability, boolean readOnly) {
        return attach(id, Served.NODE, capability, readOnly);
    }

    Map<String, String> attach(String id, String node, VolumeCapability capability, boolean readOnly) {
        return controller()
                .controllerPublishVolume(ControllerPublishVolumeRequest.newBuilder()
                        .setVolumeId(id)
                        .setNodeId(node)
                        .setVolumeCapability(capability)
                        .setReadonly(readOnly)
                        .build())
                .getPublishContextMap();
    }

    void detach(String id) {
        detach(id, Served.NODE);
    }

    void detach(String id, String node) {
        controller()
                .controllerUnpublishVolume(ControllerUnpublishVolumeRequest.newBuilder()
                        .setVolumeId(id)
                        .setNodeId(node)
                        .build());
    }

    void stage(String id, Path path, VolumeCapability capability) {
        node().nodeStageVolume(NodeStageVolumeRequest.newBuilder()
                .setVolumeId(id)
                .setStagingTargetPath(path.toString())
                .setVolumeCapability(capability)
                .putSecrets("password", "hunter2")
                .build());
    }

    static NodePublishVolumeRequest.Builder publishRequest(
            String id, Path staging, Path target, VolumeCapability capability) {
        return NodePublishVolumeRequest.newBuilder()
                .setVolumeId(id)
                .setStagingTargetPath(staging.toString())
                .setTargetPath(target.toString())
                .setVolumeCapability(capability);
    }

    void publish(String id, Path staging, Path target, VolumeCapability capability) {
        node().nodePublishVolume(publishRequest(id, staging, target, capability).build());
    }

    void unpublish(String id, Path target) {
        node().nodeUnpublishVolume(NodeUnpublishVolumeRequest.newBuilder()
                .setVolumeId(id)
                .setTargetPath(target.toString())
                .build());
    }

    /**
     * Asks again while another process of this machine has the device open, as an orchestrator does: a container that
     * is being made has all mounts for a moment.
     */
    void unstage(String id, Path path) {
        NodeUnstageVolumeRequest request = NodeUnstageVolumeRequest.newBuilder()
                .setVolumeId(id)
                .setStagingTargetPath(path.toString())
                .build();
        for (int tries = 1; ; tries++) {
            try {
                node().nodeUnstageVolume(request);
                return;
            } catch (StatusRuntimeException busy) {
                if (tries == MOST_TRIES || !busy.toString().contains("is still open in another")) {
                    throw busy;
                }
            }
        }
    }

    Snapshot snapshot(String name, String volume) {
        return controller()
                .createSnapshot(CreateSnapshotRequest.newBuilder()
                        .setName(name)
                        .setSourceVolumeId(volume)
                        .build())
                .getSnapshot();
    }

    void deleteSnapshot(String id) {
        controller()
                .deleteSnapshot(
                        DeleteSnapshotRequest.newBuilder().setSnapshotId(id).build());
    }

    /** A volume made from the snapshot {@code id}, of {@code bytes} or, where 0, of its size. */
    String restore(String name, VolumeType type, String id, long bytes) {
        CreateVolumeRequest.Builder request = createRequest(name, type, bytes).toBuilder();
        request.getVolumeContentSourceBuilder().getSnapshotBuilder().setSnapshotId(id);
        return controller().createVolume(request.build()).getVolume().getVolumeId();
    }

    /** A volume made from the volume {@code id} as it is. */
    String copy(String name, VolumeType type, String id) {
        CreateVolumeRequest.Builder request = createRequest(name, type, 0).toBuilder();
        request.getVolumeContentSourceBuilder().getVolumeBuilder().setVolumeId(id);
        return controller().createVolume(request.build()).getVolume().getVolumeId();
    }

    /** Answers whether a node must be told. */
    boolean expand(String id, long bytes) {
        ControllerExpandVolumeResponse answer = controller()
                .controllerExpandVolume(ControllerExpandVolumeRequest.newBuilder()
                        .setVolumeId(id)
                        .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(bytes))
                        .build());
        assertEquals(bytes, answer.getCapacityBytes());
        return answer.getNodeExpansionRequired();
    }

    void expandOnNode(String id, Path path, long bytes) {
        NodeExpandVolumeResponse answer = node().nodeExpandVolume(NodeExpandVolumeRequest.newBuilder()
                .setVolumeId(id)
                .setVolumePath(path.toString())
                .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(bytes))
                .build());
        assertEquals(bytes, answer.getCapacityBytes());
    }

    /** The usage of a volume, of bytes first. */
    List<VolumeUsage> usage(String id, Path path) {
        return node().nodeGetVolumeStats(NodeGetVolumeStatsRequest.newBuilder()
                        .setVolumeId(id)
                        .setVolumePath(path.toString())
                        .build())
                .getUsageList();
    }

    void delete(String id) {
        controller()
                .deleteVolume(DeleteVolumeRequest.newBuilder().setVolumeId(id).build());
    }

    @Override
    public void close() {
        channel.shutdownNow();
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(5, TimeUnit.SECONDS);
    }
}
