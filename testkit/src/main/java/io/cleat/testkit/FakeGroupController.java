package io.cleat.testkit;

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
import io.cleat.csi.v1.PluginCapability;
import io.cleat.csi.v1.VolumeGroupSnapshot;
import io.grpc.stub.StreamObserver;

/** The group controller service of the fake plugin. */
final class FakeGroupController extends GroupControllerGrpc.GroupControllerImplBase {
    private final FakeCsiPlugin plugin;

    FakeGroupController(FakeCsiPlugin plugin) {
        this.plugin = plugin;
    }

    @Override
    public void groupControllerGetCapabilities(
            GroupControllerGetCapabilitiesRequest request,
            StreamObserver<GroupControllerGetCapabilitiesResponse> caller) {
        GroupControllerGetCapabilitiesResponse.Builder reply = GroupControllerGetCapabilitiesResponse.newBuilder();
        if (plugin.setup().services().contains(PluginCapability.Service.Type.GROUP_CONTROLLER_SERVICE)) {
            reply.addCapabilitiesBuilder()
                    .getRpcBuilder()
                    .setType(GroupControllerServiceCapability.RPC.Type.CREATE_DELETE_GET_VOLUME_GROUP_SNAPSHOT);
        }
        GroupControllerGetCapabilitiesResponse said = reply.build();
        plugin.handle("GroupControllerGetCapabilities", request, caller, asked -> said, said);
    }

    @Override
    public void createVolumeGroupSnapshot(
            CreateVolumeGroupSnapshotRequest request, StreamObserver<CreateVolumeGroupSnapshotResponse> caller) {
        plugin.handle(
                "CreateVolumeGroupSnapshot",
                request,
                caller,
                asked -> created(plugin.snapshotMemory().createGroup(asked)),
                created(FakeSnapshots.imagined(request)));
    }

    private static CreateVolumeGroupSnapshotResponse created(VolumeGroupSnapshot group) {
        return CreateVolumeGroupSnapshotResponse.newBuilder()
                .setGroupSnapshot(group)
                .build();
    }

    @Override
    public void deleteVolumeGroupSnapshot(
            DeleteVolumeGroupSnapshotRequest request, StreamObserver<DeleteVolumeGroupSnapshotResponse> caller) {
        DeleteVolumeGroupSnapshotResponse done = DeleteVolumeGroupSnapshotResponse.getDefaultInstance();
        plugin.handle(
                "DeleteVolumeGroupSnapshot",
                request,
                caller,
                asked -> {
                    plugin.snapshotMemory().deleteGroup(asked.getGroupSnapshotId(), asked.getSnapshotIdsList());
                    return done;
                },
                done);
    }

    @Override
    public void getVolumeGroupSnapshot(
            GetVolumeGroupSnapshotRequest request, StreamObserver<GetVolumeGroupSnapshotResponse> caller) {
        plugin.handle(
                "GetVolumeGroupSnapshot",
                request,
                caller,
                asked -> GetVolumeGroupSnapshotResponse.newBuilder()
                        .setGroupSnapshot(plugin.snapshotMemory()
                                .getGroup(asked.getGroupSnapshotId(), asked.getSnapshotIdsList()))
                        .build(),
                GetVolumeGroupSnapshotResponse.getDefaultInstance());
    }
}
