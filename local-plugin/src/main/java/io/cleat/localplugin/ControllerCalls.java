package io.cleat.localplugin;

import io.cleat.csi.v1.ControllerExpandVolumeRequest;
import io.cleat.csi.v1.ControllerExpandVolumeResponse;
import io.cleat.csi.v1.ControllerGetCapabilitiesRequest;
import io.cleat.csi.v1.ControllerGetCapabilitiesResponse;
import io.cleat.csi.v1.ControllerGetVolumeHealthRequest;
import io.cleat.csi.v1.ControllerGetVolumeHealthResponse;
import io.cleat.csi.v1.ControllerGetVolumeRequest;
import io.cleat.csi.v1.ControllerGetVolumeResponse;
import io.cleat.csi.v1.ControllerGrpc;
import io.cleat.csi.v1.ControllerListVolumeHealthRequest;
import io.cleat.csi.v1.ControllerListVolumeHealthResponse;
import io.cleat.csi.v1.ControllerModifyVolumeRequest;
import io.cleat.csi.v1.ControllerModifyVolumeResponse;
import io.cleat.csi.v1.ControllerPublishVolumeRequest;
import io.cleat.csi.v1.ControllerPublishVolumeResponse;
import io.cleat.csi.v1.ControllerServiceCapability;
import io.cleat.csi.v1.ControllerServiceCapability.RPC;
import io.cleat.csi.v1.ControllerUnpublishVolumeRequest;
import io.cleat.csi.v1.ControllerUnpublishVolumeResponse;
import io.cleat.csi.v1.CreateSnapshotRequest;
import io.cleat.csi.v1.CreateSnapshotResponse;
import io.cleat.csi.v1.CreateVolumeRequest;
import io.cleat.csi.v1.CreateVolumeResponse;
import io.cleat.csi.v1.DeleteSnapshotRequest;
import io.cleat.csi.v1.DeleteSnapshotResponse;
import io.cleat.csi.v1.DeleteVolumeRequest;
import io.cleat.csi.v1.DeleteVolumeResponse;
import io.cleat.csi.v1.GetCapacityRequest;
import io.cleat.csi.v1.GetCapacityResponse;
import io.cleat.csi.v1.GetSnapshotRequest;
import io.cleat.csi.v1.GetSnapshotResponse;
import io.cleat.csi.v1.ListSnapshotsRequest;
import io.cleat.csi.v1.ListSnapshotsResponse;
import io.cleat.csi.v1.ListVolumesRequest;
import io.cleat.csi.v1.ListVolumesResponse;
import io.cleat.csi.v1.ValidateVolumeCapabilitiesRequest;
import io.cleat.csi.v1.ValidateVolumeCapabilitiesResponse;
import io.grpc.stub.StreamObserver;
import java.util.List;

/** CSI Controller: each call to what serves it. */
final class ControllerCalls extends ControllerGrpc.ControllerImplBase {
    private static final List<RPC.Type> ANNOUNCED = List.of(
            RPC.Type.CREATE_DELETE_VOLUME,
            RPC.Type.PUBLISH_UNPUBLISH_VOLUME,
            RPC.Type.PUBLISH_READONLY,
            RPC.Type.LIST_VOLUMES,
            RPC.Type.LIST_VOLUMES_PUBLISHED_NODES,
            RPC.Type.GET_VOLUME,
            RPC.Type.GET_CAPACITY,
            RPC.Type.SINGLE_NODE_MULTI_WRITER,
            RPC.Type.EXPAND_VOLUME,
            RPC.Type.MODIFY_VOLUME,
            RPC.Type.CLONE_VOLUME,
            RPC.Type.CREATE_DELETE_SNAPSHOT,
            RPC.Type.LIST_SNAPSHOTS,
            RPC.Type.GET_SNAPSHOT,
            RPC.Type.GET_VOLUME_HEALTH,
            RPC.Type.LIST_VOLUME_HEALTH);

    private final VolumeCalls volumes;
    private final SnapshotCalls snapshots;
    private final CsiVersion csi;
    private final Answers answers;

    ControllerCalls(VolumeCalls volumes, SnapshotCalls snapshots, CsiVersion csi, Answers answers) {
        this.csi = csi;
        this.volumes = volumes;
        this.snapshots = snapshots;
        this.answers = answers;
    }

    @Override
    public void createVolume(CreateVolumeRequest request, StreamObserver<CreateVolumeResponse> caller) {
        answers.answer("CreateVolume", caller, () -> volumes.create(request));
    }

    @Override
    public void deleteVolume(DeleteVolumeRequest request, StreamObserver<DeleteVolumeResponse> caller) {
        answers.answer("DeleteVolume", caller, () -> volumes.delete(request));
    }

    @Override
    public void controllerPublishVolume(
            ControllerPublishVolumeRequest request, StreamObserver<ControllerPublishVolumeResponse> caller) {
        answers.answer("ControllerPublishVolume", caller, () -> volumes.attach(request));
    }

    @Override
    public void controllerUnpublishVolume(
            ControllerUnpublishVolumeRequest request, StreamObserver<ControllerUnpublishVolumeResponse> caller) {
        answers.answer("ControllerUnpublishVolume", caller, () -> volumes.detach(request));
    }

    @Override
    public void validateVolumeCapabilities(
            ValidateVolumeCapabilitiesRequest request, StreamObserver<ValidateVolumeCapabilitiesResponse> caller) {
        answers.answer("ValidateVolumeCapabilities", caller, () -> volumes.validate(request));
    }

    @Override
    public void listVolumes(ListVolumesRequest request, StreamObserver<ListVolumesResponse> caller) {
        answers.answer("ListVolumes", caller, () -> volumes.list(request));
    }

    @Override
    public void controllerGetVolume(
            ControllerGetVolumeRequest request, StreamObserver<ControllerGetVolumeResponse> caller) {
        answers.answer("ControllerGetVolume", caller, () -> volumes.get(request));
    }

    @Override
    public void getCapacity(GetCapacityRequest request, StreamObserver<GetCapacityResponse> caller) {
        answers.answer("GetCapacity", caller, () -> volumes.capacity(request));
    }

    @Override
    public void controllerExpandVolume(
            ControllerExpandVolumeRequest request, StreamObserver<ControllerExpandVolumeResponse> caller) {
        answers.answer("ControllerExpandVolume", caller, () -> volumes.expand(request));
    }

    @Override
    public void controllerModifyVolume(
            ControllerModifyVolumeRequest request, StreamObserver<ControllerModifyVolumeResponse> caller) {
        answers.answer("ControllerModifyVolume", caller, () -> volumes.modify(request));
    }

    @Override
    public void controllerGetVolumeHealth(
            ControllerGetVolumeHealthRequest request, StreamObserver<ControllerGetVolumeHealthResponse> caller) {
        answers.answer("ControllerGetVolumeHealth", caller, () -> volumes.health(request));
    }

    @Override
    public void controllerListVolumeHealth(
            ControllerListVolumeHealthRequest request, StreamObserver<ControllerListVolumeHealthResponse> caller) {
        answers.answer("ControllerListVolumeHealth", caller, () -> volumes.listHealth(request));
    }

    @Override
    public void createSnapshot(CreateSnapshotRequest request, StreamObserver<CreateSnapshotResponse> caller) {
        answers.answer("CreateSnapshot", caller, () -> snapshots.create(request));
    }

    @Override
    public void deleteSnapshot(DeleteSnapshotRequest request, StreamObserver<DeleteSnapshotResponse> caller) {
        answers.answer("DeleteSnapshot", caller, () -> snapshots.delete(request));
    }

    @Override
    public void listSnapshots(ListSnapshotsRequest request, StreamObserver<ListSnapshotsResponse> caller) {
        answers.answer("ListSnapshots", caller, () -> snapshots.list(request));
    }

    @Override
    public void getSnapshot(GetSnapshotRequest request, StreamObserver<GetSnapshotResponse> caller) {
        answers.answer("GetSnapshot", caller, () -> snapshots.get(request));
    }

    @Override
    public void controllerGetCapabilities(
            ControllerGetCapabilitiesRequest request, StreamObserver<ControllerGetCapabilitiesResponse> caller) {
        ControllerGetCapabilitiesResponse.Builder answer = ControllerGetCapabilitiesResponse.newBuilder();
        for (RPC.Type type : ANNOUNCED) {
            if (csi.has(type)) {
                answer.addCapabilities(ControllerServiceCapability.newBuilder()
                        .setRpc(RPC.newBuilder().setType(type)));
            }
        }
        caller.onNext(answer.build());
        caller.onCompleted();
    }
}
