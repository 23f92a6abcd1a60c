package io.cleat.localplugin;

import io.cleat.csi.v1.CreateVolumeGroupSnapshotRequest;
import io.cleat.csi.v1.CreateVolumeGroupSnapshotResponse;
import io.cleat.csi.v1.DeleteVolumeGroupSnapshotRequest;
import io.cleat.csi.v1.DeleteVolumeGroupSnapshotResponse;
import io.cleat.csi.v1.GetVolumeGroupSnapshotRequest;
import io.cleat.csi.v1.GetVolumeGroupSnapshotResponse;
import io.cleat.csi.v1.GroupControllerGetCapabilitiesRequest;
import io.cleat.csi.v1.GroupControllerGetCapabilitiesResponse;
import io.cleat.csi.v1.GroupControllerGrpc;
import io.cleat.csi.v1.GroupControllerServiceCapability;
import io.cleat.csi.v1.GroupControllerServiceCapability.RPC;
import io.grpc.stub.StreamObserver;

/** CSI GroupController: snapshots of several volumes at one moment. */
final class GroupCalls extends GroupControllerGrpc.GroupControllerImplBase {
    private final SnapshotCalls snapshots;
    private final Answers answers;

    GroupCalls(SnapshotCalls snapshots, Answers answers) {
        this.snapshots = snapshots;
        this.answers = answers;
    }

    @Override
    public void groupControllerGetCapabilities(
            GroupControllerGetCapabilitiesRequest request,
            StreamObserver<GroupControllerGetCapabilitiesResponse> caller) {
        caller.onNext(GroupControllerGetCapabilitiesResponse.newBuilder()
                .addCapabilities(GroupControllerServiceCapability.newBuilder()
                        .setRpc(RPC.newBuilder().setType(RPC.Type.CREATE_DELETE_GET_VOLUME_GROUP_SNAPSHOT)))
                .build());
        caller.onCompleted();
    }

    @Override
    public void createVolumeGroupSnapshot(
            CreateVolumeGroupSnapshotRequest request, StreamObserver<CreateVolumeGroupSnapshotResponse> caller) {
        answers.answer(
                "CreateVolumeGroupSnapshot",
                caller,
                () -> CreateVolumeGroupSnapshotResponse.newBuilder()
                        .setGroupSnapshot(snapshots.createGroup(request))
                        .build());
    }

    @Override
    public void deleteVolumeGroupSnapshot(
            DeleteVolumeGroupSnapshotRequest request, StreamObserver<DeleteVolumeGroupSnapshotResponse> caller) {
        answers.answer("DeleteVolumeGroupSnapshot", caller, () -> {
            snapshots.deleteGroup(request);
            return DeleteVolumeGroupSnapshotResponse.getDefaultInstance();
        });
    }

    @Override
    public void getVolumeGroupSnapshot(
            GetVolumeGroupSnapshotRequest request, StreamObserver<GetVolumeGroupSnapshotResponse> caller) {
        answers.answer(
                "GetVolumeGroupSnapshot",
                caller,
                () -> GetVolumeGroupSnapshotResponse.newBuilder()
                        .setGroupSnapshot(snapshots.getGroup(request))
                        .build());
    }
}
