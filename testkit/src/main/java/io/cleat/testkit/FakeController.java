package io.cleat.testkit;

import io.cleat.csi.v1.ControllerGetCapabilitiesRequest;
import io.cleat.csi.v1.ControllerGetCapabilitiesResponse;
import io.cleat.csi.v1.ControllerGrpc;
import io.cleat.csi.v1.ControllerPublishVolumeRequest;
import io.cleat.csi.v1.ControllerPublishVolumeResponse;
import io.cleat.csi.v1.ControllerServiceCapability;
import io.cleat.csi.v1.ControllerUnpublishVolumeRequest;
import io.cleat.csi.v1.ControllerUnpublishVolumeResponse;
import io.cleat.csi.v1.CreateVolumeRequest;
import io.cleat.csi.v1.CreateVolumeResponse;
import io.cleat.csi.v1.DeleteVolumeRequest;
import io.cleat.csi.v1.DeleteVolumeResponse;
import io.cleat.csi.v1.GetCapacityRequest;
import io.cleat.csi.v1.GetCapacityResponse;
import io.cleat.csi.v1.ListVolumesRequest;
import io.cleat.csi.v1.ListVolumesResponse;
import io.cleat.csi.v1.ValidateVolumeCapabilitiesRequest;
import io.cleat.csi.v1.ValidateVolumeCapabilitiesResponse;
import io.cleat.csi.v1.Volume;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.List;

/** The controller service of the fake plugin. */
final class FakeController extends ControllerGrpc.ControllerImplBase {
    private final FakeCsiPlugin plugin;

    FakeController(FakeCsiPlugin plugin) {
        this.plugin = plugin;
    }

    @Override
    public void createVolume(
            CreateVolumeRequest request, StreamObserver<CreateVolumeResponse> caller) {
        plugin.handle(
                "CreateVolume",
                request,
                caller,
                asked -> created(plugin.memory().create(asked, plugin.setup().capacity())),
                created(FakeVolumes.imagined(request)));
    }

    private static CreateVolumeResponse created(Volume volume) {
        return CreateVolumeResponse.newBuilder().setVolume(volume).build();
    }

    @Override
    public void deleteVolume(
            DeleteVolumeRequest request, StreamObserver<DeleteVolumeResponse> caller) {
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
            ControllerPublishVolumeRequest request,
            StreamObserver<ControllerPublishVolumeResponse> caller) {
        ControllerPublishVolumeResponse done =
                ControllerPublishVolumeResponse.newBuilder()
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
            ControllerUnpublishVolumeRequest request,
            StreamObserver<ControllerUnpublishVolumeResponse> caller) {
        ControllerUnpublishVolumeResponse done =
                ControllerUnpublishVolumeResponse.getDefaultInstance();
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
            ValidateVolumeCapabilitiesRequest request,
            StreamObserver<ValidateVolumeCapabilitiesResponse> caller) {
        ValidateVolumeCapabilitiesResponse.Builder reply =
                ValidateVolumeCapabilitiesResponse.newBuilder();
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
    public void listVolumes(
            ListVolumesRequest request, StreamObserver<ListVolumesResponse> caller) {
        plugin.handle(
                "ListVolumes",
                request,
                caller,
                this::page,
                ListVolumesResponse.getDefaultInstance());
    }

    /** The token is the place of the page's first volume in the order of ids. */
    private ListVolumesResponse page(ListVolumesRequest request) {
        List<Volume> all = plugin.memory().all();
        String token = request.getStartingToken();
        int from = token.isEmpty() ? 0 : place(token, all.size());
        int most = request.getMaxEntries() == 0 ? all.size() : request.getMaxEntries();
        int to = Math.min(all.size(), from + most);
        ListVolumesResponse.Builder reply = ListVolumesResponse.newBuilder();
        for (Volume volume : all.subList(from, to)) {
            reply.addEntriesBuilder()
                    .setVolume(volume)
                    .getStatusBuilder()
                    .addAllPublishedNodeIds(plugin.nodesOf(volume.getVolumeId()));
        }
        return reply.setNextToken(to < all.size() ? String.valueOf(to) : "").build();
    }

    private static int place(String token, int size) {
        if (!token.matches("[0-9]{1,9}") || Integer.parseInt(token) > size) {
            throw Status.ABORTED.withDescription("bad token").asRuntimeException();
        }
        return Integer.parseInt(token);
    }

    @Override
    public void getCapacity(
            GetCapacityRequest request, StreamObserver<GetCapacityResponse> caller) {
        long used = plugin.memory().all().stream().mapToLong(Volume::getCapacityBytes).sum();
        GetCapacityResponse said =
                GetCapacityResponse.newBuilder()
                        .setAvailableCapacity(plugin.setup().capacity() - used)
                        .build();
        plugin.handle("GetCapacity", request, caller, asked -> said, said);
    }

    @Override
    public void controllerGetCapabilities(
            ControllerGetCapabilitiesRequest request,
            StreamObserver<ControllerGetCapabilitiesResponse> caller) {
        ControllerGetCapabilitiesResponse.Builder reply =
                ControllerGetCapabilitiesResponse.newBuilder();
        for (ControllerServiceCapability.RPC.Type type : plugin.setup().controller()) {
            reply.addCapabilitiesBuilder().getRpcBuilder().setType(type);
        }
        ControllerGetCapabilitiesResponse said = reply.build();
        plugin.handle("ControllerGetCapabilities", request, caller, asked -> said, said);
    }
}
