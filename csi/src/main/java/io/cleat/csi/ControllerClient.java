package io.cleat.csi;

import io.cleat.base.Deadline;
import io.cleat.base.Secrets;
import io.cleat.csi.v1.ControllerExpandVolumeRequest;
import io.cleat.csi.v1.ControllerGetCapabilitiesRequest;
import io.cleat.csi.v1.ControllerGetVolumeRequest;
import io.cleat.csi.v1.ControllerGrpc;
import io.cleat.csi.v1.ControllerModifyVolumeRequest;
import io.cleat.csi.v1.ControllerPublishVolumeRequest;
import io.cleat.csi.v1.ControllerServiceCapability;
import io.cleat.csi.v1.ControllerUnpublishVolumeRequest;
import io.cleat.csi.v1.CreateVolumeRequest;
import io.cleat.csi.v1.DeleteVolumeRequest;
import io.cleat.csi.v1.GetCapacityRequest;
import io.cleat.csi.v1.ListVolumesRequest;
import io.cleat.csi.v1.ValidateVolumeCapabilitiesRequest;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The controller service of a plugin. Each call blocks and may be repeated with the same arguments; an interrupt leaves
 * its effect unknown.
 */
public final class ControllerClient {
    private static final String SERVICE = "Controller";

    private final Tries tries;
    private final Abilities<ControllerCapability> abilities;

    ControllerClient(Tries tries) {
        this.tries = tries;
        this.abilities = tries.abilities(this::capabilities);
    }

    Abilities<ControllerCapability> abilities() {
        return abilities;
    }

    /**
     * CreateVolume. A volume smaller than was asked for, or not made from what it was to be made from, is a bad reply.
     */
    public PluginVolume create(VolumeOrder order, Deadline deadline) throws CsiTrouble, InterruptedException {
        CreateVolumeRequest.Builder request = CreateVolumeRequest.newBuilder()
                .setName(order.name())
                .addAllVolumeCapabilities(Wire.uses(order.uses()))
                .putAllParameters(order.parameters())
                .putAllSecrets(order.secrets().reveal());
        if (order.capacity().isBounded()) {
            request.setCapacityRange(Wire.range(order.capacity()));
        }
        if (!order.requisite().isEmpty() || !order.preferred().isEmpty()) {
            request.setAccessibilityRequirements(Wire.requirement(order.requisite(), order.preferred()));
        }
        Wire.source(order.source()).ifPresent(request::setVolumeContentSource);
        request.putAllMutableParams(order.mutableParameters());
        var call = Call.change(
                SERVICE,
                ControllerGrpc.getCreateVolumeMethod(),
                request.build(),
                Call.volume(order.name()),
                Call.hidden(order.secrets(), PublishContext.none(), order.uses()),
                reply -> VolumeReplies.created(reply, order));
        switch (order.source()) {
            case ContentSource.Empty() -> {}
            case ContentSource.FromSnapshot(String snapshotId) -> {
                abilities.require(ControllerCapability.CREATE_DELETE_SNAPSHOT, call, deadline);
                call = call.from(Call.snapshot(snapshotId));
            }
            case ContentSource.FromVolume(String volumeId) -> {
                abilities.require(ControllerCapability.CLONE_VOLUME, call, deadline);
                call = call.from(Call.volume(volumeId));
            }
        }
        if (!order.mutableParameters().isEmpty()) {
            abilities.require(ControllerCapability.MODIFY_VOLUME, call, deadline);
        }
        return tries.make(call, deadline);
    }

    /** DeleteVolume. */
    public void delete(String volumeId, Secrets secrets, Deadline deadline) throws CsiTrouble, InterruptedException {
        DeleteVolumeRequest request = DeleteVolumeRequest.newBuilder()
                .setVolumeId(volumeId)
                .putAllSecrets(secrets.reveal())
                .build();
        tries.make(
                Call.change(
                        SERVICE,
                        ControllerGrpc.getDeleteVolumeMethod(),
                        request,
                        Call.volume(volumeId),
                        Call.hidden(secrets),
                        Replies::nothing),
                deadline);
    }

    /** ControllerPublishVolume. */
    public PublishContext publish(ControllerPublication publication, Deadline deadline)
            throws CsiTrouble, InterruptedException {
        ControllerPublishVolumeRequest request = ControllerPublishVolumeRequest.newBuilder()
                .setVolumeId(publication.volumeId())
                .setNodeId(publication.nodeId())
                .setVolumeCapability(Wire.use(publication.use()))
                .setReadonly(publication.readOnly())
                .putAllSecrets(publication.secrets().reveal())
                .putAllVolumeContext(publication.volumeContext())
                .build();
        return tries.make(
                Call.change(
                        SERVICE,
                        ControllerGrpc.getControllerPublishVolumeMethod(),
                        request,
                        Call.volume(publication.volumeId()),
                        Call.hidden(publication.secrets(), PublishContext.none(), List.of(publication.use())),
                        reply -> PublishContext.of(Replies.map("publish_context", reply.getPublishContextMap()))),
                deadline);
    }

    /**
     * ControllerUnpublishVolume.
     *
     * @param nodeId the provider's name of the node; empty for all nodes
     */
    public Removal unpublish(String volumeId, String nodeId, Secrets secrets, Deadline deadline)
            throws CsiTrouble, InterruptedException {
        ControllerUnpublishVolumeRequest request = ControllerUnpublishVolumeRequest.newBuilder()
                .setVolumeId(volumeId)
                .setNodeId(nodeId)
                .putAllSecrets(secrets.reveal())
                .build();
        return tries.remove(
                Call.change(
                        SERVICE,
                        ControllerGrpc.getControllerUnpublishVolumeMethod(),
                        request,
                        Call.volume(volumeId),
                        Call.hidden(secrets),
                        Replies::nothing),
                deadline);
    }

    /** ValidateVolumeCapabilities. */
    public Validation validate(ValidationOrder order, Deadline deadline) throws CsiTrouble, InterruptedException {
        ValidateVolumeCapabilitiesRequest request = ValidateVolumeCapabilitiesRequest.newBuilder()
                .setVolumeId(order.volumeId())
                .putAllVolumeContext(order.volumeContext())
                .addAllVolumeCapabilities(Wire.uses(order.uses()))
                .putAllParameters(order.parameters())
                .putAllSecrets(order.secrets().reveal())
                .build();
        List<String> hidden = Call.hidden(order.secrets(), PublishContext.none(), order.uses());
        return tries.make(
                Call.look(
                        SERVICE,
                        ControllerGrpc.getValidateVolumeCapabilitiesMethod(),
                        request,
                        Call.volume(order.volumeId()),
                        hidden,
                        reply -> VolumeReplies.validation(reply, hidden)),
                deadline);
    }

    /**
     * ListVolumes.
     *
     * @param maxEntries 0 for no limit; a plugin may ignore it
     * @param startingToken of the page before; empty for the first
     */
    public VolumePage list(int maxEntries, String startingToken, Deadline deadline)
            throws CsiTrouble, InterruptedException {
        ListVolumesRequest request = ListVolumesRequest.newBuilder()
                .setMaxEntries(maxEntries)
                .setStartingToken(startingToken)
                .build();
        return tries.make(
                Call.look(
                        SERVICE,
                        ControllerGrpc.getListVolumesMethod(),
                        request,
                        "",
                        List.of(),
                        reply -> VolumeReplies.page(reply, startingToken)),
                deadline);
    }

    /** ControllerGetVolume: the volume as it is now, only at a controller with GET_VOLUME. */
    public VolumeStatus get(String volumeId, Deadline deadline) throws CsiTrouble, InterruptedException {
        var call = Call.look(
                SERVICE,
                ControllerGrpc.getControllerGetVolumeMethod(),
                ControllerGetVolumeRequest.newBuilder().setVolumeId(volumeId).build(),
                Call.volume(volumeId),
                List.of(),
                reply -> VolumeReplies.got(reply, volumeId));
        abilities.require(ControllerCapability.GET_VOLUME, call, deadline);
        return tries.make(call, deadline);
    }

    /**
     * ControllerExpandVolume, only at a controller with EXPAND_VOLUME. A volume that is as large already is left as it
     * is.
     */
    public ExpandedVolume expand(ControllerExpansion expansion, Deadline deadline)
            throws CsiTrouble, InterruptedException {
        ControllerExpandVolumeRequest.Builder request = ControllerExpandVolumeRequest.newBuilder()
                .setVolumeId(expansion.volumeId())
                .setCapacityRange(Wire.range(expansion.capacity()))
                .putAllSecrets(expansion.secrets().reveal());
        expansion.use().ifPresent(use -> request.setVolumeCapability(Wire.use(use)));
        var call = Call.change(
                SERVICE,
                ControllerGrpc.getControllerExpandVolumeMethod(),
                request.build(),
                Call.volume(expansion.volumeId()),
                Call.hidden(
                        expansion.secrets(),
                        PublishContext.none(),
                        expansion.use().stream().toList()),
                reply -> VolumeReplies.expanded(reply, expansion.capacity()));
        abilities.require(ControllerCapability.EXPAND_VOLUME, call, deadline);
        return tries.make(call, deadline);
    }

    /**
     * ControllerModifyVolume, only at a controller with MODIFY_VOLUME.
     *
     * @param parameters what is to change, at least one; others stay as they are
     */
    public void modify(String volumeId, Map<String, String> parameters, Secrets secrets, Deadline deadline)
            throws CsiTrouble, InterruptedException {
        if (parameters.isEmpty()) {
            throw new IllegalArgumentException(
                    "volume " + volumeId + " to be modified in nothing, expected a parameter");
        }
        ControllerModifyVolumeRequest request = ControllerModifyVolumeRequest.newBuilder()
                .setVolumeId(volumeId)
                .putAllSecrets(secrets.reveal())
                .putAllMutableParameters(parameters)
                .build();
        var call = Call.change(
                SERVICE,
                ControllerGrpc.getControllerModifyVolumeMethod(),
                request,
                Call.volume(volumeId),
                Call.hidden(secrets),
                Replies::nothing);
        abilities.require(ControllerCapability.MODIFY_VOLUME, call, deadline);
        tries.make(call, deadline);
    }

    /**
     * GetCapacity.
     *
     * @param uses what volumes are meant; empty for any
     * @param topology where; absent for anywhere
     */
    public StorageCapacity capacity(
            List<VolumeUse> uses, Map<String, String> parameters, Optional<Topology> topology, Deadline deadline)
            throws CsiTrouble, InterruptedException {
        GetCapacityRequest.Builder request = GetCapacityRequest.newBuilder()
                .addAllVolumeCapabilities(Wire.uses(uses))
                .putAllParameters(parameters);
        topology.ifPresent(place -> request.setAccessibleTopology(Wire.topology(place)));
        return tries.make(
                Call.look(
                        SERVICE,
                        ControllerGrpc.getGetCapacityMethod(),
                        request.build(),
                        "",
                        Call.hidden(Secrets.none(), PublishContext.none(), uses),
                        reply -> new StorageCapacity(
                                Replies.size("available_capacity", reply.getAvailableCapacity()),
                                Replies.optional(
                                        reply.hasMaximumVolumeSize(),
                                        "maximum_volume_size",
                                        reply.getMaximumVolumeSize().getValue()),
                                Replies.optional(
                                        reply.hasMinimumVolumeSize(),
                                        "minimum_volume_size",
                                        reply.getMinimumVolumeSize().getValue()))),
                deadline);
    }

    /** ControllerGetCapabilities; those that this version does not know are left out. */
    public Set<ControllerCapability> capabilities(Deadline deadline) throws CsiTrouble, InterruptedException {
        return tries.make(
                Call.look(
                        SERVICE,
                        ControllerGrpc.getControllerGetCapabilitiesMethod(),
                        ControllerGetCapabilitiesRequest.getDefaultInstance(),
                        "",
                        List.of(),
                        reply -> known(reply.getCapabilitiesList())),
                deadline);
    }

    private static Set<ControllerCapability> known(List<ControllerServiceCapability> said) {
        var rpcs = said.stream().map(ControllerServiceCapability::getRpc).toList();
        Set<ControllerCapability> found = Wire.known(
                ControllerCapability.class,
                rpcs.stream().map(ControllerServiceCapability.RPC::getType).toList());
        if (rpcs.stream().anyMatch(rpc -> rpc.getTypeValue() == OldCondition.CONTROLLER_CAPABILITY)) {
            found.add(ControllerCapability.VOLUME_CONDITION);
        }
        return found;
    }
}
