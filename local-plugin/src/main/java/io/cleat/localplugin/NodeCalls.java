package io.cleat.localplugin;

import io.cleat.base.Trouble;
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
import io.cleat.csi.v1.NodeServiceCapability.RPC;
import io.cleat.csi.v1.NodeStageVolumeRequest;
import io.cleat.csi.v1.NodeStageVolumeResponse;
import io.cleat.csi.v1.NodeUnpublishVolumeRequest;
import io.cleat.csi.v1.NodeUnpublishVolumeResponse;
import io.cleat.csi.v1.NodeUnstageVolumeRequest;
import io.cleat.csi.v1.NodeUnstageVolumeResponse;
import io.cleat.csi.v1.VolumeCapability;
import io.grpc.stub.StreamObserver;
import java.nio.file.Path;
import java.util.List;

/** CSI Node: the calls about a volume on this machine. */
final class NodeCalls extends NodeGrpc.NodeImplBase {
    private static final List<RPC.Type> ANNOUNCED = List.of(
            RPC.Type.STAGE_UNSTAGE_VOLUME,
            RPC.Type.SINGLE_NODE_MULTI_WRITER,
            RPC.Type.GET_VOLUME_STATS,
            RPC.Type.EXPAND_VOLUME,
            RPC.Type.GET_VOLUME_HEALTH,
            RPC.Type.GET_STORAGE_HEALTH);

    private final Pool pool;
    private final NodeSteps steps;
    private final NodeFacts facts;
    private final Lifecycle lifecycle;
    private final CsiVersion csi;
    private final Answers answers;

    NodeCalls(Pool pool, NodeSteps steps, NodeFacts facts, Lifecycle lifecycle, CsiVersion csi, Answers answers) {
        this.csi = csi;
        this.pool = pool;
        this.steps = steps;
        this.facts = facts;
        this.lifecycle = lifecycle;
        this.answers = answers;
    }

    /** Work on a volume that is held. */
    @FunctionalInterface
    private interface Work {
        void run(Volume volume) throws CallRefused, Trouble, InterruptedException;
    }

    private void holding(String id, Work work) throws CallRefused, Trouble, InterruptedException {
        try (KeyLocks.Held _ = pool.hold(id)) {
            work.run(pool.volumes().require(id));
        }
    }

    @Override
    public void nodeStageVolume(NodeStageVolumeRequest request, StreamObserver<NodeStageVolumeResponse> caller) {
        answers.answer("NodeStageVolume", caller, () -> {
            VolumeCalls.requireId(request.getVolumeId());
            Path path = PlainPaths.parse("staging_target_path", request.getStagingTargetPath());
            requireCapability(request.hasVolumeCapability());
            holding(request.getVolumeId(), volume -> {
                Access.check(volume.type(), request.getVolumeCapability());
                lifecycle.requireAttached(volume, request.getPublishContextMap());
                steps.stage(volume, PlainPaths.resolve(path), request.getVolumeCapability());
            });
            return NodeStageVolumeResponse.getDefaultInstance();
        });
    }

    @Override
    public void nodeUnstageVolume(NodeUnstageVolumeRequest request, StreamObserver<NodeUnstageVolumeResponse> caller) {
        answers.answer("NodeUnstageVolume", caller, () -> {
            VolumeCalls.requireId(request.getVolumeId());
            Path path = PlainPaths.parse("staging_target_path", request.getStagingTargetPath());
            holding(request.getVolumeId(), volume -> steps.unstage(volume, PlainPaths.resolveIfThere(path)));
            return NodeUnstageVolumeResponse.getDefaultInstance();
        });
    }

    @Override
    public void nodePublishVolume(NodePublishVolumeRequest request, StreamObserver<NodePublishVolumeResponse> caller) {
        answers.answer("NodePublishVolume", caller, () -> {
            VolumeCalls.requireId(request.getVolumeId());
            Path target = PlainPaths.parse("target_path", request.getTargetPath());
            requireCapability(request.hasVolumeCapability());
            if (request.getStagingTargetPath().isEmpty()) {
                throw CallRefused.tooSoon("staging_target_path is missing: this plugin stages volumes first");
            }
            Path staging = PlainPaths.parse("staging_target_path", request.getStagingTargetPath());
            holding(request.getVolumeId(), volume -> {
                Access.check(volume.type(), request.getVolumeCapability());
                lifecycle.requireAttached(volume, request.getPublishContextMap());
                steps.publish(volume, PlainPaths.resolveIfThere(staging), PlainPaths.resolve(target), wish(request));
            });
            return NodePublishVolumeResponse.getDefaultInstance();
        });
    }

    private static NodeSteps.Wish wish(NodePublishVolumeRequest request) {
        VolumeCapability capability = request.getVolumeCapability();
        VolumeCapability.AccessMode.Mode mode = capability.getAccessMode().getMode();
        boolean readOnly = request.getReadonly()
                || Access.isReader(mode)
                || capability.getMount().getMountFlagsList().contains("ro")
                || Lifecycle.isReadOnly(request.getPublishContextMap());
        return new NodeSteps.Wish(mode, readOnly);
    }

    @Override
    public void nodeUnpublishVolume(
            NodeUnpublishVolumeRequest request, StreamObserver<NodeUnpublishVolumeResponse> caller) {
        answers.answer("NodeUnpublishVolume", caller, () -> {
            VolumeCalls.requireId(request.getVolumeId());
            Path target = PlainPaths.parse("target_path", request.getTargetPath());
            holding(request.getVolumeId(), volume -> steps.unpublish(volume, PlainPaths.resolveIfThere(target)));
            return NodeUnpublishVolumeResponse.getDefaultInstance();
        });
    }

    @Override
    public void nodeExpandVolume(NodeExpandVolumeRequest request, StreamObserver<NodeExpandVolumeResponse> caller) {
        answers.answer("NodeExpandVolume", caller, () -> {
            VolumeCalls.requireId(request.getVolumeId());
            requirePath(request.getVolumePath());
            long[] bytes = new long[1];
            holding(request.getVolumeId(), volume -> {
                if (request.hasVolumeCapability()) {
                    Access.check(volume.type(), request.getVolumeCapability());
                }
                bytes[0] =
                        steps.expand(volume, facts.place(volume, request.getVolumePath()), request.getCapacityRange());
            });
            return NodeExpandVolumeResponse.newBuilder()
                    .setCapacityBytes(bytes[0])
                    .build();
        });
    }

    @Override
    public void nodeGetVolumeStats(
            NodeGetVolumeStatsRequest request, StreamObserver<NodeGetVolumeStatsResponse> caller) {
        answers.answer("NodeGetVolumeStats", caller, () -> {
            VolumeCalls.requireId(request.getVolumeId());
            requirePath(request.getVolumePath());
            return facts.statistics(request.getVolumeId(), request.getVolumePath());
        });
    }

    @Override
    public void nodeGetVolumeHealth(
            NodeGetVolumeHealthRequest request, StreamObserver<NodeGetVolumeHealthResponse> caller) {
        answers.answer("NodeGetVolumeHealth", caller, () -> {
            VolumeCalls.requireId(request.getVolumeId());
            return facts.health(request.getVolumeId());
        });
    }

    @Override
    public void nodeGetStorageHealth(
            NodeGetStorageHealthRequest request, StreamObserver<NodeGetStorageHealthResponse> caller) {
        answers.answer("NodeGetStorageHealth", caller, facts::storage);
    }

    @Override
    public void nodeGetCapabilities(
            NodeGetCapabilitiesRequest request, StreamObserver<NodeGetCapabilitiesResponse> caller) {
        NodeGetCapabilitiesResponse.Builder answer = NodeGetCapabilitiesResponse.newBuilder();
        for (RPC.Type type : ANNOUNCED) {
            if (csi.has(type)) {
                answer.addCapabilities(NodeServiceCapability.newBuilder()
                        .setRpc(RPC.newBuilder().setType(type)));
            }
        }
        caller.onNext(answer.build());
        caller.onCompleted();
    }

    @Override
    public void nodeGetInfo(NodeGetInfoRequest request, StreamObserver<NodeGetInfoResponse> caller) {
        caller.onNext(facts.node());
        caller.onCompleted();
    }

    private static void requirePath(String path) throws CallRefused {
        if (path.isEmpty()) {
            throw CallRefused.invalid("volume_path is missing");
        }
    }

    private static void requireCapability(boolean given) throws CallRefused {
        if (!given) {
            throw CallRefused.invalid("volume_capability is missing");
        }
    }
}
