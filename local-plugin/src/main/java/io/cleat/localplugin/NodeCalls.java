package io.cleat.localplugin;

import io.cleat.base.Trouble;
import io.cleat.csi.v1.NodeGetCapabilitiesRequest;
import io.cleat.csi.v1.NodeGetCapabilitiesResponse;
import io.cleat.csi.v1.NodeGetInfoRequest;
import io.cleat.csi.v1.NodeGetInfoResponse;
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
import io.cleat.csi.v1.VolumeCapability;
import io.grpc.stub.StreamObserver;
import java.nio.file.Path;

/** CSI Node: the calls about a volume on this machine. */
final class NodeCalls extends NodeGrpc.NodeImplBase {
    private final Pool pool;
    private final NodeSteps steps;
    private final Lifecycle lifecycle;
    private final String node;
    private final Answers answers;

    NodeCalls(Pool pool, NodeSteps steps, Lifecycle lifecycle, String node, Answers answers) {
        this.pool = pool;
        this.steps = steps;
        this.lifecycle = lifecycle;
        this.node = node;
        this.answers = answers;
    }

    /** Work on a volume that is held. */
    @FunctionalInterface
    private interface Work {
        void run(Volume volume) throws CallRefused, Trouble, InterruptedException;
    }

    private void holding(String id, Work work) throws CallRefused, Trouble, InterruptedException {
        try (KeyLocks.Held _ = pool.hold(id)) {
            work.run(pool.require(id));
        }
    }

    @Override
    public void nodeStageVolume(
            NodeStageVolumeRequest request, StreamObserver<NodeStageVolumeResponse> caller) {
        answers.answer(
                "NodeStageVolume",
                caller,
                () -> {
                    ControllerCalls.requireId(request.getVolumeId());
                    Path path =
                            PlainPaths.parse("staging_target_path", request.getStagingTargetPath());
                    requireCapability(request.hasVolumeCapability());
                    holding(
                            request.getVolumeId(),
                            volume -> {
                                Access.check(volume.type(), request.getVolumeCapability());
                                lifecycle.requireAttached(volume, request.getPublishContextMap());
                                steps.stage(
                                        volume,
                                        PlainPaths.resolve(path),
                                        request.getVolumeCapability());
                            });
                    return NodeStageVolumeResponse.getDefaultInstance();
                });
    }

    @Override
    public void nodeUnstageVolume(
            NodeUnstageVolumeRequest request, StreamObserver<NodeUnstageVolumeResponse> caller) {
        answers.answer(
                "NodeUnstageVolume",
                caller,
                () -> {
                    ControllerCalls.requireId(request.getVolumeId());
                    Path path =
                            PlainPaths.parse("staging_target_path", request.getStagingTargetPath());
                    holding(
                            request.getVolumeId(),
                            volume -> steps.unstage(volume, PlainPaths.resolveIfThere(path)));
                    return NodeUnstageVolumeResponse.getDefaultInstance();
                });
    }

    @Override
    public void nodePublishVolume(
            NodePublishVolumeRequest request, StreamObserver<NodePublishVolumeResponse> caller) {
        answers.answer(
                "NodePublishVolume",
                caller,
                () -> {
                    ControllerCalls.requireId(request.getVolumeId());
                    Path target = PlainPaths.parse("target_path", request.getTargetPath());
                    requireCapability(request.hasVolumeCapability());
                    if (request.getStagingTargetPath().isEmpty()) {
                        throw CallRefused.tooSoon(
                                "staging_target_path is missing: this plugin stages volumes first");
                    }
                    Path staging =
                            PlainPaths.parse("staging_target_path", request.getStagingTargetPath());
                    holding(
                            request.getVolumeId(),
                            volume -> {
                                Access.check(volume.type(), request.getVolumeCapability());
                                lifecycle.requireAttached(volume, request.getPublishContextMap());
                                steps.publish(
                                        volume,
                                        PlainPaths.resolveIfThere(staging),
                                        PlainPaths.resolve(target),
                                        wish(request));
                            });
                    return NodePublishVolumeResponse.getDefaultInstance();
                });
    }

    private static NodeSteps.Wish wish(NodePublishVolumeRequest request) {
        VolumeCapability capability = request.getVolumeCapability();
        VolumeCapability.AccessMode.Mode mode = capability.getAccessMode().getMode();
        boolean readOnly =
                request.getReadonly()
                        || Access.isReader(mode)
                        || capability.getMount().getMountFlagsList().contains("ro")
                        || Lifecycle.isReadOnly(request.getPublishContextMap());
        return new NodeSteps.Wish(mode, readOnly);
    }

    @Override
    public void nodeUnpublishVolume(
            NodeUnpublishVolumeRequest request,
            StreamObserver<NodeUnpublishVolumeResponse> caller) {
        answers.answer(
                "NodeUnpublishVolume",
                caller,
                () -> {
                    ControllerCalls.requireId(request.getVolumeId());
                    Path target = PlainPaths.parse("target_path", request.getTargetPath());
                    holding(
                            request.getVolumeId(),
                            volume -> steps.unpublish(volume, PlainPaths.resolveIfThere(target)));
                    return NodeUnpublishVolumeResponse.getDefaultInstance();
                });
    }

    @Override
    public void nodeGetCapabilities(
            NodeGetCapabilitiesRequest request,
            StreamObserver<NodeGetCapabilitiesResponse> caller) {
        caller.onNext(
                NodeGetCapabilitiesResponse.newBuilder()
                        .addCapabilities(
                                capability(NodeServiceCapability.RPC.Type.STAGE_UNSTAGE_VOLUME))
                        .addCapabilities(
                                capability(NodeServiceCapability.RPC.Type.SINGLE_NODE_MULTI_WRITER))
                        .build());
        caller.onCompleted();
    }

    private static NodeServiceCapability capability(NodeServiceCapability.RPC.Type type) {
        return NodeServiceCapability.newBuilder()
                .setRpc(NodeServiceCapability.RPC.newBuilder().setType(type))
                .build();
    }

    @Override
    public void nodeGetInfo(
            NodeGetInfoRequest request, StreamObserver<NodeGetInfoResponse> caller) {
        caller.onNext(NodeGetInfoResponse.newBuilder().setNodeId(node).build());
        caller.onCompleted();
    }

    private static void requireCapability(boolean given) throws CallRefused {
        if (!given) {
            throw CallRefused.invalid("volume_capability is missing");
        }
    }
}
