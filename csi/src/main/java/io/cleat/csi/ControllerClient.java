package io.cleat.csi;

import io.cleat.base.Deadline;
import io.cleat.base.Secrets;
import io.cleat.csi.v1.ControllerGetCapabilitiesRequest;
import io.cleat.csi.v1.ControllerGrpc;
import io.cleat.csi.v1.ControllerPublishVolumeRequest;
import io.cleat.csi.v1.ControllerServiceCapability;
import io.cleat.csi.v1.ControllerUnpublishVolumeRequest;
import io.cleat.csi.v1.CreateVolumeRequest;
import io.cleat.csi.v1.CreateVolumeResponse;
import io.cleat.csi.v1.DeleteVolumeRequest;
import io.cleat.csi.v1.GetCapacityRequest;
import io.cleat.csi.v1.ListVolumesRequest;
import io.cleat.csi.v1.ListVolumesResponse;
import io.cleat.csi.v1.ValidateVolumeCapabilitiesRequest;
import io.cleat.csi.v1.ValidateVolumeCapabilitiesResponse;
import io.cleat.csi.v1.VolumeCapability;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The controller service of a plugin. Each call blocks and may be repeated with the same arguments;
 * an interrupt leaves its effect unknown.
 */
public final class ControllerClient {
    private static final String SERVICE = "Controller";

    private final Tries tries;

    ControllerClient(Tries tries) {
        this.tries = tries;
    }

    /** CreateVolume. A volume smaller than was asked for is a bad reply. */
    public PluginVolume create(VolumeOrder order, Deadline deadline)
            throws CsiTrouble, InterruptedException {
        CreateVolumeRequest.Builder request =
                CreateVolumeRequest.newBuilder()
                        .setName(order.name())
                        .addAllVolumeCapabilities(Wire.uses(order.uses()))
                        .putAllParameters(order.parameters())
                        .putAllSecrets(order.secrets().reveal());
        if (order.capacity().isBounded()) {
            request.setCapacityRange(Wire.range(order.capacity()));
        }
        if (!order.requisite().isEmpty() || !order.preferred().isEmpty()) {
            request.setAccessibilityRequirements(Wire.requirement(order));
        }
        return tries.make(
                Call.change(
                        SERVICE,
                        ControllerGrpc.getCreateVolumeMethod(),
                        request.build(),
                        Call.volume(order.name()),
                        Call.hidden(order.secrets(), PublishContext.none(), order.uses()),
                        reply -> created(reply, order.capacity())),
                deadline);
    }

    private static PluginVolume created(CreateVolumeResponse reply, CapacityRange asked)
            throws BadReply {
        if (!reply.hasVolume()) {
            throw new BadReply("has no volume");
        }
        PluginVolume volume = Wire.volume(reply.getVolume());
        long bytes = volume.capacityBytes();
        if (bytes > 0 && bytes < asked.requiredBytes()) {
            throw new BadReply(
                    "has a volume of "
                            + bytes
                            + " bytes, expected at least "
                            + asked.requiredBytes());
        }
        return volume;
    }

    /** DeleteVolume. */
    public void delete(String volumeId, Secrets secrets, Deadline deadline)
            throws CsiTrouble, InterruptedException {
        DeleteVolumeRequest request =
                DeleteVolumeRequest.newBuilder()
                        .setVolumeId(volumeId)
                        .putAllSecrets(secrets.reveal())
                        .build();
        tries.make(
                Call.change(
                        SERVICE,
                        ControllerGrpc.getDeleteVolumeMethod(),
                        request,
                        Call.volume(volumeId),
                        Call.hidden(secrets, PublishContext.none(), List.of()),
                        Replies::nothing),
                deadline);
    }

    /** ControllerPublishVolume. */
    public PublishContext publish(ControllerPublication publication, Deadline deadline)
            throws CsiTrouble, InterruptedException {
        ControllerPublishVolumeRequest request =
                ControllerPublishVolumeRequest.newBuilder()
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
                        Call.hidden(
                                publication.secrets(),
                                PublishContext.none(),
                                List.of(publication.use())),
                        reply ->
                                PublishContext.of(
                                        Replies.map(
                                                "publish_context", reply.getPublishContextMap()))),
                deadline);
    }

    /**
     * ControllerUnpublishVolume.
     *
     * @param nodeId the provider's name of the node; empty for all nodes
     */
    public Removal unpublish(String volumeId, String nodeId, Secrets secrets, Deadline deadline)
            throws CsiTrouble, InterruptedException {
        ControllerUnpublishVolumeRequest request =
                ControllerUnpublishVolumeRequest.newBuilder()
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
                        Call.hidden(secrets, PublishContext.none(), List.of()),
                        Replies::nothing),
                deadline);
    }

    /** ValidateVolumeCapabilities. */
    public Validation validate(ValidationOrder order, Deadline deadline)
            throws CsiTrouble, InterruptedException {
        ValidateVolumeCapabilitiesRequest request =
                ValidateVolumeCapabilitiesRequest.newBuilder()
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
                        reply -> validation(reply, hidden)),
                deadline);
    }

    private static Validation validation(
            ValidateVolumeCapabilitiesResponse reply, List<String> hidden) throws BadReply {
        if (!reply.hasConfirmed()) {
            return new Validation.NotConfirmed(Words.cleaned(reply.getMessage(), hidden));
        }
        ValidateVolumeCapabilitiesResponse.Confirmed confirmed = reply.getConfirmed();
        List<VolumeUse> uses = new ArrayList<>();
        for (VolumeCapability capability : confirmed.getVolumeCapabilitiesList()) {
            uses.add(Wire.use(capability));
        }
        return new Validation.Confirmed(
                Replies.map("volume_context", confirmed.getVolumeContextMap()),
                uses,
                Replies.map("parameters", confirmed.getParametersMap()));
    }

    /**
     * ListVolumes.
     *
     * @param maxEntries 0 for no limit; a plugin may ignore it
     * @param startingToken of the page before; empty for the first
     */
    public VolumePage list(int maxEntries, String startingToken, Deadline deadline)
            throws CsiTrouble, InterruptedException {
        ListVolumesRequest request =
                ListVolumesRequest.newBuilder()
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
                        reply -> page(reply, startingToken)),
                deadline);
    }

    private static VolumePage page(ListVolumesResponse reply, String from) throws BadReply {
        List<VolumePage.Entry> entries = new ArrayList<>();
        for (ListVolumesResponse.Entry entry : reply.getEntriesList()) {
            if (!entry.hasVolume()) {
                throw new BadReply("has an entry without volume");
            }
            TreeSet<String> nodes = new TreeSet<>();
            for (String node : entry.getStatus().getPublishedNodeIdsList()) {
                nodes.add(Replies.id("published_node_id", node));
            }
            entries.add(new VolumePage.Entry(Wire.volume(entry.getVolume()), nodes));
        }
        String next = Replies.text("next_token", reply.getNextToken(), Replies.MOST_TOKEN);
        if (!next.isEmpty() && next.equals(from)) {
            throw new BadReply("has the token it was asked with as its next: an endless list");
        }
        return new VolumePage(entries, next);
    }

    /**
     * GetCapacity.
     *
     * @param uses what volumes are meant; empty for any
     * @param topology where; absent for anywhere
     */
    public StorageCapacity capacity(
            List<VolumeUse> uses,
            Map<String, String> parameters,
            Optional<Topology> topology,
            Deadline deadline)
            throws CsiTrouble, InterruptedException {
        GetCapacityRequest.Builder request =
                GetCapacityRequest.newBuilder()
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
                        reply ->
                                new StorageCapacity(
                                        Replies.size(
                                                "available_capacity", reply.getAvailableCapacity()),
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
    public Set<ControllerCapability> capabilities(Deadline deadline)
            throws CsiTrouble, InterruptedException {
        return tries.make(
                Call.look(
                        SERVICE,
                        ControllerGrpc.getControllerGetCapabilitiesMethod(),
                        ControllerGetCapabilitiesRequest.getDefaultInstance(),
                        "",
                        List.of(),
                        reply ->
                                Wire.known(
                                        ControllerCapability.class,
                                        reply.getCapabilitiesList().stream()
                                                .map(ControllerServiceCapability::getRpc)
                                                .map(ControllerServiceCapability.RPC::getType)
                                                .toList())),
                deadline);
    }
}
