package io.cleat.localplugin;

import com.google.protobuf.Int64Value;
import io.cleat.base.Trouble;
import io.cleat.csi.v1.ControllerExpandVolumeRequest;
import io.cleat.csi.v1.ControllerExpandVolumeResponse;
import io.cleat.csi.v1.ControllerGetVolumeHealthRequest;
import io.cleat.csi.v1.ControllerGetVolumeHealthResponse;
import io.cleat.csi.v1.ControllerGetVolumeRequest;
import io.cleat.csi.v1.ControllerGetVolumeResponse;
import io.cleat.csi.v1.ControllerListVolumeHealthRequest;
import io.cleat.csi.v1.ControllerListVolumeHealthResponse;
import io.cleat.csi.v1.ControllerModifyVolumeRequest;
import io.cleat.csi.v1.ControllerModifyVolumeResponse;
import io.cleat.csi.v1.ControllerPublishVolumeRequest;
import io.cleat.csi.v1.ControllerPublishVolumeResponse;
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
import io.cleat.csi.v1.VolumeContentSource;
import io.cleat.csi.v1.VolumeHealth;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** The controller's calls about volumes: requests are read and checked here, answers put together. */
final class VolumeCalls {
    private final Pool pool;
    private final Places places;
    private final FreeCapacity free;
    private final Images images;
    private final Creation creation;
    private final Deletion deletion;
    private final Attaching attaching;
    private final Growth growth;
    private final Mounting mounting;
    private final Health health;

    VolumeCalls(
            Pool pool,
            Places places,
            FreeCapacity free,
            Images images,
            Creation creation,
            Deletion deletion,
            Attaching attaching,
            Growth growth,
            Mounting mounting,
            Health health) {
        this.pool = pool;
        this.places = places;
        this.free = free;
        this.images = images;
        this.creation = creation;
        this.deletion = deletion;
        this.attaching = attaching;
        this.growth = growth;
        this.mounting = mounting;
        this.health = health;
    }

    CreateVolumeResponse create(CreateVolumeRequest request) throws CallRefused, Trouble, InterruptedException {
        return CreateVolumeResponse.newBuilder()
                .setVolume(shown(creation.create(request)))
                .build();
    }

    DeleteVolumeResponse delete(DeleteVolumeRequest request) throws CallRefused, Trouble, InterruptedException {
        requireId(request.getVolumeId());
        deletion.delete(request.getVolumeId());
        return DeleteVolumeResponse.getDefaultInstance();
    }

    ControllerPublishVolumeResponse attach(ControllerPublishVolumeRequest request)
            throws CallRefused, Trouble, InterruptedException {
        requireId(request.getVolumeId());
        if (request.getNodeId().isEmpty()) {
            throw CallRefused.invalid("node_id is missing");
        }
        if (!request.hasVolumeCapability()) {
            throw CallRefused.invalid("volume_capability is missing");
        }
        return ControllerPublishVolumeResponse.newBuilder()
                .putAllPublishContext(attaching.attach(
                        request.getVolumeId(),
                        request.getNodeId(),
                        request.getVolumeCapability(),
                        request.getReadonly()))
                .build();
    }

    ControllerUnpublishVolumeResponse detach(ControllerUnpublishVolumeRequest request)
            throws CallRefused, Trouble, InterruptedException {
        requireId(request.getVolumeId());
        attaching.detach(request.getVolumeId(), request.getNodeId());
        return ControllerUnpublishVolumeResponse.getDefaultInstance();
    }

    ValidateVolumeCapabilitiesResponse validate(ValidateVolumeCapabilitiesRequest request) throws CallRefused, Trouble {
        requireId(request.getVolumeId());
        if (request.getVolumeCapabilitiesCount() == 0) {
            throw CallRefused.invalid("volume_capabilities is missing");
        }
        Volume volume = require(request.getVolumeId());
        List<String> faults = new ArrayList<>(TypeChoice.faults(volume.type(), request.getVolumeCapabilitiesList()));
        Optional<VolumeType> named = TypeChoice.named(request.getParametersMap(), List.of());
        if (named.isPresent() && named.get() != volume.type()) {
            faults.add("the volume is of type " + volume.type().word());
        }
        try {
            Settings.check(volume.type(), request.getMutableParamsMap());
        } catch (CallRefused cannot) {
            faults.add(cannot.sentence());
        }
        ValidateVolumeCapabilitiesResponse.Builder answer = ValidateVolumeCapabilitiesResponse.newBuilder();
        if (!faults.isEmpty()) {
            return answer.setMessage(String.join("; ", faults)).build();
        }
        return answer.setConfirmed(ValidateVolumeCapabilitiesResponse.Confirmed.newBuilder()
                        .putAllVolumeContext(request.getVolumeContextMap())
                        .putAllParameters(request.getParametersMap())
                        .putAllMutableParams(request.getMutableParamsMap())
                        .addAllVolumeCapabilities(request.getVolumeCapabilitiesList()))
                .build();
    }

    ListVolumesResponse list(ListVolumesRequest request) throws CallRefused, Trouble {
        pool.requireThere();
        Pages<PoolDirectory.Entry<Volume>> page =
                Pages.of(pool.volumes().entries(), request.getStartingToken(), request.getMaxEntries());
        ListVolumesResponse.Builder answer = ListVolumesResponse.newBuilder().setNextToken(page.next());
        for (PoolDirectory.Entry<Volume> entry : page.entries()) {
            answer.addEntries(entry.kept().map(this::listed).orElseGet(() -> listed(entry.id())));
        }
        return answer.build();
    }

    private ListVolumesResponse.Entry listed(Volume volume) {
        return ListVolumesResponse.Entry.newBuilder()
                .setVolume(shown(volume))
                .setStatus(ListVolumesResponse.VolumeStatus.newBuilder().addAllPublishedNodeIds(nodes(volume)))
                .build();
    }

    /** One whose file cannot be used, with what its place tells: left out, it would seem gone. */
    private ListVolumesResponse.Entry listed(String id) {
        return ListVolumesResponse.Entry.newBuilder()
                .setVolume(io.cleat.csi.v1.Volume.newBuilder().setVolumeId(id).addAccessibleTopology(places.ofPool()))
                .build();
    }

    ControllerGetVolumeResponse get(ControllerGetVolumeRequest request) throws CallRefused, Trouble {
        requireId(request.getVolumeId());
        Volume volume = require(request.getVolumeId());
        return ControllerGetVolumeResponse.newBuilder()
                .setVolume(shown(volume))
                .setStatus(ControllerGetVolumeResponse.VolumeStatus.newBuilder().addAllPublishedNodeIds(nodes(volume)))
                .build();
    }

    /** Nothing where no such volume can be made: of that kind, for that use, or at that place. */
    GetCapacityResponse capacity(GetCapacityRequest request) throws CallRefused, Trouble {
        pool.requireThere();
        VolumeType type = TypeChoice.type(request.getParametersMap(), request.getVolumeCapabilitiesList());
        boolean possible =
                TypeChoice.faults(type, request.getVolumeCapabilitiesList()).isEmpty()
                        && places.isHere(request.getAccessibleTopology())
                        && isMakeable(type);
        if (!possible) {
            return GetCapacityResponse.getDefaultInstance();
        }
        GetCapacityResponse.Builder answer = GetCapacityResponse.newBuilder().setAvailableCapacity(free.available());
        return type.isImage()
                ? answer.setMinimumVolumeSize(Int64Value.of(type.least()))
                        .setMaximumVolumeSize(Int64Value.of(Sizes.MOST))
                        .build()
                : answer.build();
    }

    private boolean isMakeable(VolumeType type) {
        try {
            images.requireMakeable(type);
            return true;
        } catch (CallRefused cannot) {
            return false;
        }
    }

    ControllerExpandVolumeResponse expand(ControllerExpandVolumeRequest request)
            throws CallRefused, Trouble, InterruptedException {
        requireId(request.getVolumeId());
        if (!request.hasCapacityRange()) {
            throw CallRefused.invalid("capacity_range is missing");
        }
        if (request.hasVolumeCapability()) {
            Access.check(require(request.getVolumeId()).type(), request.getVolumeCapability());
        }
        Volume volume = growth.expand(request.getVolumeId(), request.getCapacityRange());
        return ControllerExpandVolumeResponse.newBuilder()
                .setCapacityBytes(volume.bytes())
                .setNodeExpansionRequired(Growth.isNodeNeeded(volume))
                .build();
    }

    /** Parameters that are not named stay as they are. */
    ControllerModifyVolumeResponse modify(ControllerModifyVolumeRequest request)
            throws CallRefused, Trouble, InterruptedException {
        requireId(request.getVolumeId());
        try (KeyLocks.Held _ = pool.hold(request.getVolumeId())) {
            Volume volume = require(request.getVolumeId());
            SortedMap<String, String> settings = new TreeMap<>(volume.shape().settings());
            settings.putAll(Settings.check(volume.type(), request.getMutableParametersMap()));
            Volume modified = volume.with(volume.shape().set(settings));
            pool.volumes().save(modified);
            if (modified.type() == VolumeType.DIRECTORY) {
                Settings.applyMode(modified, pool.volumes().content(modified));
            } else {
                NodeSteps.apply(modified, mounting.look(modified));
            }
        }
        return ControllerModifyVolumeResponse.getDefaultInstance();
    }

    ControllerGetVolumeHealthResponse health(ControllerGetVolumeHealthRequest request) throws CallRefused, Trouble {
        requireId(request.getVolumeId());
        pool.requireThere();
        return ControllerGetVolumeHealthResponse.newBuilder()
                .setVolumeHealth(health.ofVolume(request.getVolumeId()))
                .build();
    }

    /** Only those with something wrong; a page is one of the volumes looked at. */
    ControllerListVolumeHealthResponse listHealth(ControllerListVolumeHealthRequest request)
            throws CallRefused, Trouble {
        pool.requireThere();
        Pages<PoolDirectory.Entry<Volume>> page =
                Pages.of(pool.volumes().entries(), request.getStartingToken(), request.getMaxEntries());
        ControllerListVolumeHealthResponse.Builder answer =
                ControllerListVolumeHealthResponse.newBuilder().setNextToken(page.next());
        for (PoolDirectory.Entry<Volume> entry : page.entries()) {
            VolumeHealth found = health.ofEntry(entry);
            if (found.getHealthStatusesCount() > 0) {
                answer.addEntries(found);
            }
        }
        return answer.build();
    }

    private Volume require(String id) throws CallRefused, Trouble {
        pool.requireThere();
        return pool.volumes().require(id);
    }

    private io.cleat.csi.v1.Volume shown(Volume volume) {
        io.cleat.csi.v1.Volume.Builder shown = io.cleat.csi.v1.Volume.newBuilder()
                .setVolumeId(volume.id())
                .setCapacityBytes(volume.bytes())
                .putVolumeContext(TypeChoice.TYPE, volume.type().word())
                .addAccessibleTopology(places.ofPool());
        volume.source().ifPresent(source -> shown.setContentSource(shown(source)));
        return shown.build();
    }

    private static VolumeContentSource shown(Volume.Source source) {
        VolumeContentSource.Builder shown = VolumeContentSource.newBuilder();
        switch (source.kind()) {
            case SNAPSHOT -> shown.getSnapshotBuilder().setSnapshotId(source.id());
            case VOLUME -> shown.getVolumeBuilder().setVolumeId(source.id());
        }
        return shown.build();
    }

    private static List<String> nodes(Volume volume) {
        return volume.uses().attachments().stream().map(Uses.Attachment::node).toList();
    }

    static void requireId(String id) throws CallRefused {
        if (id.isEmpty()) {
            throw CallRefused.invalid("volume_id is missing");
        }
    }
}
