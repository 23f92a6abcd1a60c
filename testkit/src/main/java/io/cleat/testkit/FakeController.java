package io.cleat.testkit;

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
import io.cleat.csi.v1.NodeServiceCapability;
import io.cleat.csi.v1.ValidateVolumeCapabilitiesRequest;
import io.cleat.csi.v1.ValidateVolumeCapabilitiesResponse;
import io.cleat.csi.v1.Volume;
import io.grpc.stub.StreamObserver;
import java.util.List;

/** The controller service of the fake plugin. */
final class FakeController extends ControllerGrpc.ControllerImplBase {
    private final FakeCsiPlugin plugin;
    private final FakeSnapshotCalls snapshots;

    FakeController(FakeCsiPlugin plugin) {
        this.plugin = plugin;
        this.snapshots = new FakeSnapshotCalls(plugin);
    }

    @Override
    public void createVolume(CreateVolumeRequest request, StreamObserver<CreateVolumeResponse> caller) {
        plugin.handle(
                "CreateVolume",
                request,
                caller,
                asked -> {
                    requireSource(asked);
                    return created(plugin.memory().create(asked, plugin.setup().capacity()));
                },
                created(FakeVolumes.imagined(request)));
    }

    private void requireSource(CreateVolumeRequest request) {
        switch (request.getVolumeContentSource().getTypeCase()) {
            case SNAPSHOT ->
                plugin.snapshotMemory()
                        .get(request.getVolumeContentSource().getSnapshot().getSnapshotId());
            case VOLUME ->
                plugin.memory().get(request.getVolumeContentSource().getVolume().getVolumeId());
            case TYPE_NOT_SET -> {}
        }
    }

    private static CreateVolumeResponse created(Volume volume) {
        return CreateVolumeResponse.newBuilder().setVolume(volume).build();
    }

    @Override
    public void deleteVolume(DeleteVolumeRequest request, StreamObserver<DeleteVolumeResponse> caller) {
        DeleteVolumeResponse done = DeleteVolumeResponse.getDefaultInstance();
        plugin.handle(
                "DeleteVolume",
                request,
                caller,
                asked -> {
                    plugin.memory().delete(asked.getVolumeId());
                    return done;
                },
                done);
    }

    @Override
    public void controllerPublishVolume(
            ControllerPublishVolumeRequest request, StreamObserver<ControllerPublishVolumeResponse> caller) {
        ControllerPublishVolumeResponse done = ControllerPublishVolumeResponse.newBuilder()
                .putPublishContext("attached", request.getVolumeId())
                .build();
        plugin.handle(
                "ControllerPublishVolume",
                request,
                caller,
                asked -> {
                    plugin.memory().attach(asked.getVolumeId(), asked.getNodeId());
                    return done;
                },
                done);
    }

    @Override
    public void controllerUnpublishVolume(
            ControllerUnpublishVolumeRequest request, StreamObserver<ControllerUnpublishVolumeResponse> caller) {
        ControllerUnpublishVolumeResponse done = ControllerUnpublishVolumeResponse.getDefaultInstance();
        plugin.handle(
                "ControllerUnpublishVolume",
                request,
                caller,
                asked -> {
                    plugin.memory().detach(asked.getVolumeId(), asked.getNodeId());
                    return done;
                },
                done);
    }

    @Override
    public void validateVolumeCapabilities(
            ValidateVolumeCapabilitiesRequest request, StreamObserver<ValidateVolumeCapabilitiesResponse> caller) {
        ValidateVolumeCapabilitiesResponse.Builder reply = ValidateVolumeCapabilitiesResponse.newBuilder();
        reply.getConfirmedBuilder()
                .putAllVolumeContext(request.getVolumeContextMap())
                .addAllVolumeCapabilities(request.getVolumeCapabilitiesList())
                .putAllParameters(request.getParametersMap());
        ValidateVolumeCapabilitiesResponse confirmed = reply.build();
        plugin.handle(
                "ValidateVolumeCapabilities",
                request,
                caller,
                asked -> {
                    plugin.memory().get(asked.getVolumeId());
                    return confirmed;
                },
                confirmed);
    }

    @Override
    public void listVolumes(ListVolumesRequest request, StreamObserver<ListVolumesResponse> caller) {
        plugin.handle("ListVolumes", request, caller, this::page, ListVolumesResponse.getDefaultInstance());
    }

    private ListVolumesResponse page(ListVolumesRequest request) {
        List<Volume> all = plugin.memory().all();
        FakePage page = FakePage.of(request.getStartingToken(), request.getMaxEntries(), all.size());
        ListVolumesResponse.Builder reply = ListVolumesResponse.newBuilder();
        for (Volume volume : all.subList(page.from(), page.to())) {
            reply.addEntriesBuilder()
                    .setVolume(volume)
                    .getStatusBuilder()
                    .addAllPublishedNodeIds(plugin.nodesOf(volume.getVolumeId()));
        }
        return reply.setNextToken(page.nextToken()).build();
    }

    @Override
    public void controllerGetVolume(
            ControllerGetVolumeRequest request, StreamObserver<ControllerGetVolumeResponse> caller) {
        plugin.handle(
                "ControllerGetVolume",
                request,
                caller,
                asked -> {
                    ControllerGetVolumeResponse.Builder reply = ControllerGetVolumeResponse.newBuilder()
                            .setVolume(plugin.memory().get(asked.getVolumeId()));
                    reply.getStatusBuilder().addAllPublishedNodeIds(plugin.nodesOf(asked.getVolumeId()));
                    return reply.build();
                },
                ControllerGetVolumeResponse.getDefaultInstance());
    }

    @Override
    public void controllerExpandVolume(
            ControllerExpandVolumeRequest request, StreamObserver<ControllerExpandVolumeResponse> caller) {
        plugin.handle(
                "ControllerExpandVolume",
                request,
                caller,
                asked -> expanded(plugin.memory()
                        .expand(
                                asked.getVolumeId(),
                                asked.getCapacityRange(),
                                plugin.setup().capacity())),
                expanded(request.getCapacityRange().getRequiredBytes()));
    }

    private ControllerExpandVolumeResponse expanded(long bytes) {
        return ControllerExpandVolumeResponse.newBuilder()
                .setCapacityBytes(bytes)
                .setNodeExpansionRequired(plugin.setup().node().contains(NodeServiceCapability.RPC.Type.EXPAND_VOLUME))
                .build();
    }

    @Override
    public void controllerModifyVolume(
            ControllerModifyVolumeRequest request, StreamObserver<ControllerModifyVolumeResponse> caller) {
        ControllerModifyVolumeResponse done = ControllerModifyVolumeResponse.getDefaultInstance();
        plugin.handle(
                "ControllerModifyVolume",
                request,
                caller,
                asked -> {
                    plugin.memory().modify(asked.getVolumeId(), asked.getMutableParametersMap());
                    return done;
                },
                done);
    }

    @Override
    public void controllerGetVolumeHealth(
            ControllerGetVolumeHealthRequest request, StreamObserver<ControllerGetVolumeHealthResponse> caller) {
        ControllerGetVolumeHealthResponse.Builder healthy = ControllerGetVolumeHealthResponse.newBuilder();
        healthy.getVolumeHealthBuilder().setVolumeId(request.getVolumeId());
        ControllerGetVolumeHealthResponse said = healthy.build();
        plugin.handle(
                "ControllerGetVolumeHealth",
                request,
                caller,
                asked -> {
                    plugin.memory().get(asked.getVolumeId());
                    return said;
                },
                said);
    }

    @Override
    public void controllerListVolumeHealth(
            ControllerListVolumeHealthRequest request, StreamObserver<ControllerListVolumeHealthResponse> caller) {
        ControllerListVolumeHealthResponse healthy = ControllerListVolumeHealthResponse.getDefaultInstance();
        plugin.handle("ControllerListVolumeHealth", request, caller, asked -> healthy, healthy);
    }

    @Override
    public void createSnapshot(CreateSnapshotRequest request, StreamObserver<CreateSnapshotResponse> caller) {
        snapshots.create(request, caller);
    }

    @Override
    public void deleteSnapshot(DeleteSnapshotRequest request, StreamObserver<DeleteSnapshotResponse> caller) {
        snapshots.delete(request, caller);
    }

    @Override
    public void listSnapshots(ListSnapshotsRequest request, StreamObserver<ListSnapshotsResponse> caller) {
        snapshots.list(request, caller);
    }

    @Override
    public void getSnapshot(GetSnapshotRequest request, StreamObserver<GetSnapshotResponse> caller) {
        snapshots.get(request, caller);
    }

    @Override
    public void getCapacity(GetCapacityRequest request, StreamObserver<GetCapacityResponse> caller) {
        long used = plugin.memory().all().stream()
                .mapToLong(Volume::getCapacityBytes)
                .sum();
        GetCapacityResponse said = GetCapacityResponse.newBuilder()
                .setAvailableCapacity(plugin.setup().capacity() - used)
                .build();
        plugin.handle("GetCapacity", request, caller, asked -> said, said);
    }

    @Override
    public void controllerGetCapabilities(
            ControllerGetCapabilitiesRequest request, StreamObserver<ControllerGetCapabilitiesResponse> caller) {
        ControllerGetCapabilitiesResponse.Builder reply = ControllerGetCapabilitiesResponse.newBuilder();
        for (ControllerServiceCapability.RPC.Type type : plugin.setup().controller()) {
            reply.addCapabilitiesBuilder().getRpcBuilder().setType(type);
        }
        ControllerGetCapabilitiesResponse said = reply.build();
        plugin.handle("ControllerGetCapabilities", request, caller, asked -> said, said);
    }
}
