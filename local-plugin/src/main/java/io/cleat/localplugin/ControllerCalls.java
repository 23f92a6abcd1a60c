package io.cleat.localplugin;

import com.google.protobuf.Int64Value;
import io.cleat.base.DiskTrouble;
import io.cleat.csi.v1.ControllerGetCapabilitiesRequest;
import io.cleat.csi.v1.ControllerGetCapabilitiesResponse;
import io.cleat.csi.v1.ControllerGetVolumeRequest;
import io.cleat.csi.v1.ControllerGetVolumeResponse;
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
import io.cleat.csi.v1.VolumeCapability;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** CSI Controller: the calls about volumes as a whole. */
final class ControllerCalls extends ControllerGrpc.ControllerImplBase {
    private static final List<ControllerServiceCapability.RPC.Type> ANNOUNCED =
            List.of(
                    ControllerServiceCapability.RPC.Type.CREATE_DELETE_VOLUME,
                    ControllerServiceCapability.RPC.Type.PUBLISH_UNPUBLISH_VOLUME,
                    ControllerServiceCapability.RPC.Type.PUBLISH_READONLY,
                    ControllerServiceCapability.RPC.Type.LIST_VOLUMES,
                    ControllerServiceCapability.RPC.Type.LIST_VOLUMES_PUBLISHED_NODES,
                    ControllerServiceCapability.RPC.Type.GET_CAPACITY,
                    ControllerServiceCapability.RPC.Type.GET_VOLUME,
                    ControllerServiceCapability.RPC.Type.SINGLE_NODE_MULTI_WRITER);

    private final Pool pool;
    private final Creation creation;
    private final Attaching attaching;
    private final Deletion deletion;
    private final Room room;
    private final Answers answers;

    ControllerCalls(
            Pool pool,
            Creation creation,
            Attaching attaching,
            Deletion deletion,
            Room room,
            Answers answers) {
        this.pool = pool;
        this.creation = creation;
        this.attaching = attaching;
        this.deletion = deletion;
        this.room = room;
        this.answers = answers;
    }

    @Override
    public void createVolume(
            CreateVolumeRequest request, StreamObserver<CreateVolumeResponse> caller) {
        answers.answer(
                "CreateVolume",
                caller,
                () ->
                        CreateVolumeResponse.newBuilder()
                                .setVolume(shown(creation.create(request)))
                                .build());
    }

    @Override
    public void deleteVolume(
            DeleteVolumeRequest request, StreamObserver<DeleteVolumeResponse> caller) {
        answers.answer(
                "DeleteVolume",
                caller,
                () -> {
                    requireId(request.getVolumeId());
                    deletion.delete(request.getVolumeId());
                    return DeleteVolumeResponse.getDefaultInstance();
                });
    }

    @Override
    public void controllerPublishVolume(
            ControllerPublishVolumeRequest request,
            StreamObserver<ControllerPublishVolumeResponse> caller) {
        answers.answer(
                "ControllerPublishVolume",
                caller,
                () -> {
                    requireId(request.getVolumeId());
                    if (request.getNodeId().isEmpty()) {
                        throw CallRefused.invalid("node_id is missing");
                    }
                    if (!request.hasVolumeCapability()) {
                        throw CallRefused.invalid("volume_capability is missing");
                    }
                    return ControllerPublishVolumeResponse.newBuilder()
                            .putAllPublishContext(
                                    attaching.attach(
                                            request.getVolumeId(),
                                            request.getNodeId(),
                                            request.getVolumeCapability(),
                                            request.getReadonly()))
                            .build();
                });
    }

    @Override
    public void controllerUnpublishVolume(
            ControllerUnpublishVolumeRequest request,
            StreamObserver<ControllerUnpublishVolumeResponse> caller) {
        answers.answer(
                "ControllerUnpublishVolume",
                caller,
                () -> {
                    requireId(request.getVolumeId());
                    attaching.detach(request.getVolumeId(), request.getNodeId());
                    return ControllerUnpublishVolumeResponse.getDefaultInstance();
                });
    }

    @Override
    public void validateVolumeCapabilities(
            ValidateVolumeCapabilitiesRequest request,
            StreamObserver<ValidateVolumeCapabilitiesResponse> caller) {
        answers.answer(
                "ValidateVolumeCapabilities",
                caller,
                () -> {
                    requireId(request.getVolumeId());
                    if (request.getVolumeCapabilitiesCount() == 0) {
                        throw CallRefused.invalid("volume_capabilities is missing");
                    }
                    Volume volume = pool.require(request.getVolumeId());
                    return validated(volume, request);
                });
    }

    private static ValidateVolumeCapabilitiesResponse validated(
            Volume volume, ValidateVolumeCapabilitiesRequest request) throws CallRefused {
        List<String> faults = new ArrayList<>();
        for (VolumeCapability capability : request.getVolumeCapabilitiesList()) {
            faults.addAll(Access.faults(volume.type(), capability));
        }
        if (Creation.type(request.getParametersMap()) != volume.type()
                && request.getParametersMap().containsKey(Creation.TYPE)) {
            faults.add("the volume is of type " + volume.type().word());
        }
        ValidateVolumeCapabilitiesResponse.Builder answer =
                ValidateVolumeCapabilitiesResponse.newBuilder();
        if (faults.isEmpty()) {
            return answer.setConfirmed(
                            ValidateVolumeCapabilitiesResponse.Confirmed.newBuilder()
                                    .putAllVolumeContext(request.getVolumeContextMap())
                                    .putAllParameters(request.getParametersMap())
                                    .addAllVolumeCapabilities(request.getVolumeCapabilitiesList()))
                    .build();
        }
        return answer.setMessage(String.join("; ", faults)).build();
    }

    @Override
    public void listVolumes(
            ListVolumesRequest request, StreamObserver<ListVolumesResponse> caller) {
        answers.answer(
                "ListVolumes",
                caller,
                () -> {
                    Pages page =
                            Pages.of(
                                    pool.list(),
                                    request.getStartingToken(),
                                    request.getMaxEntries());
                    ListVolumesResponse.Builder answer =
                            ListVolumesResponse.newBuilder().setNextToken(page.next());
                    for (Volume volume : page.volumes()) {
                        answer.addEntries(
                                ListVolumesResponse.Entry.newBuilder()
                                        .setVolume(shown(volume))
                                        .setStatus(
                                                ListVolumesResponse.VolumeStatus.newBuilder()
                                                        .addAllPublishedNodeIds(nodes(volume))));
                    }
                    return answer.build();
                });
    }

    @Override
    public void controllerGetVolume(
            ControllerGetVolumeRequest request,
            StreamObserver<ControllerGetVolumeResponse> caller) {
        answers.answer(
                "ControllerGetVolume",
                caller,
                () -> {
                    requireId(request.getVolumeId());
                    Volume volume = pool.require(request.getVolumeId());
                    return ControllerGetVolumeResponse.newBuilder()
                            .setVolume(shown(volume))
                            .setStatus(
                                    ControllerGetVolumeResponse.VolumeStatus.newBuilder()
                                            .addAllPublishedNodeIds(nodes(volume)))
                            .build();
                });
    }

    @Override
    public void getCapacity(
            GetCapacityRequest request, StreamObserver<GetCapacityResponse> caller) {
        answers.answer("GetCapacity", caller, () -> capacity(request));
    }

    private GetCapacityResponse capacity(GetCapacityRequest request)
            throws CallRefused, DiskTrouble {
        VolumeType type = Creation.type(request.getParametersMap());
        Optional<VolumeCapability> impossible =
                request.getVolumeCapabilitiesList().stream()
                        .filter(capability -> !Access.faults(type, capability).isEmpty())
                        .findFirst();
        if (impossible.isPresent()) {
            return GetCapacityResponse.getDefaultInstance();
        }
        GetCapacityResponse.Builder answer =
                GetCapacityResponse.newBuilder().setAvailableCapacity(room.available());
        return switch (type) {
            case DIRECTORY -> answer.build();
            case EXT4 ->
                    answer.setMinimumVolumeSize(Int64Value.of(Sizes.LEAST_EXT4))
                            .setMaximumVolumeSize(Int64Value.of(Sizes.MOST_EXT4))
                            .build();
        };
    }

    @Override
    public void controllerGetCapabilities(
            ControllerGetCapabilitiesRequest request,
            StreamObserver<ControllerGetCapabilitiesResponse> caller) {
        ControllerGetCapabilitiesResponse.Builder answer =
                ControllerGetCapabilitiesResponse.newBuilder();
        for (ControllerServiceCapability.RPC.Type type : ANNOUNCED) {
            answer.addCapabilities(
                    ControllerServiceCapability.newBuilder()
                            .setRpc(ControllerServiceCapability.RPC.newBuilder().setType(type)));
        }
        caller.onNext(answer.build());
        caller.onCompleted();
    }

    private static io.cleat.csi.v1.Volume shown(Volume volume) {
        return io.cleat.csi.v1.Volume.newBuilder()
                .setVolumeId(volume.id())
                .setCapacityBytes(volume.bytes())
                .putVolumeContext(Creation.TYPE, volume.type().word())
                .build();
    }

    private static List<String> nodes(Volume volume) {
        return volume.attachments().stream().map(Volume.Attachment::node).toList();
    }

    static void requireId(String id) throws CallRefused {
        if (id.isEmpty()) {
            throw CallRefused.invalid("volume_id is missing");
        }
    }
}
