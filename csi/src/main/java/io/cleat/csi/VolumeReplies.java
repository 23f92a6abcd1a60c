package io.cleat.csi;

import io.cleat.csi.v1.ControllerExpandVolumeResponse;
import io.cleat.csi.v1.ControllerGetVolumeResponse;
import io.cleat.csi.v1.CreateVolumeResponse;
import io.cleat.csi.v1.ListVolumesResponse;
import io.cleat.csi.v1.ValidateVolumeCapabilitiesResponse;
import io.cleat.csi.v1.VolumeCapability;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/** Checks of what controllers answer about volumes. */
final class VolumeReplies {
    /** Of what a list breaks, so many are told. */
    private static final int MOST_LEFT_OUT = 8;

    private VolumeReplies() {}

    static PluginVolume created(CreateVolumeResponse reply, VolumeOrder order) throws BadReply {
        if (!reply.hasVolume()) {
            throw new BadReply("has no volume");
        }
        PluginVolume volume = Wire.volume(reply.getVolume());
        requireAtLeast("a volume", volume.capacityBytes(), order.capacity());
        // A plugin that overlooks the source makes an empty volume.
        if (!(order.source() instanceof ContentSource.Empty) && !volume.source().equals(order.source())) {
            throw new BadReply("has a volume made from "
                    + said(volume.source())
                    + ", asked was for one from "
                    + said(order.source()));
        }
        return volume;
    }

    private static String said(ContentSource source) {
        return switch (source) {
            case ContentSource.Empty() -> "nothing";
            case ContentSource.FromSnapshot(String id) -> "snapshot " + Words.quoted(id);
            case ContentSource.FromVolume(String id) -> "volume " + Words.quoted(id);
        };
    }

    static ExpandedVolume expanded(ControllerExpandVolumeResponse reply, CapacityRange asked) throws BadReply {
        long bytes = Replies.size("capacity_bytes", reply.getCapacityBytes());
        if (bytes == 0) {
            throw new BadReply("has no capacity_bytes");
        }
        requireAtLeast("capacity_bytes", bytes, asked);
        return new ExpandedVolume(bytes, reply.getNodeExpansionRequired());
    }

    /** 0 means that the plugin does not say. */
    private static void requireAtLeast(String what, long bytes, CapacityRange asked) throws BadReply {
        if (bytes > 0 && bytes < asked.requiredBytes()) {
            throw new BadReply("has " + what + " of " + bytes + " bytes, expected at least " + asked.requiredBytes());
        }
    }

    static VolumePage page(ListVolumesResponse reply, String from) throws BadReply {
        List<VolumeStatus> entries = new ArrayList<>();
        List<String> leftOut = new ArrayList<>();
        for (ListVolumesResponse.Entry entry : reply.getEntriesList()) {
            try {
                entries.add(entry(entry));
            } catch (BadReply bad) {
                if (leftOut.size() < MOST_LEFT_OUT) {
                    leftOut.add("an entry"
                            + (entry.getVolume().getVolumeId().isEmpty()
                                    ? " "
                                    : " of volume "
                                            + Words.quoted(entry.getVolume().getVolumeId())
                                            + " ")
                            + bad.getMessage());
                }
            }
        }
        return new VolumePage(entries, Replies.nextToken(reply.getNextToken(), from), leftOut);
    }

    private static VolumeStatus entry(ListVolumesResponse.Entry entry) throws BadReply {
        if (!entry.hasVolume()) {
            throw new BadReply("has no volume");
        }
        return new VolumeStatus(
                Wire.volume(entry.getVolume()),
                nodes(entry.getStatus().getPublishedNodeIdsList()),
                OldCondition.read(entry.getStatus()));
    }

    static VolumeStatus got(ControllerGetVolumeResponse reply, String volumeId) throws BadReply {
        if (!reply.hasVolume()) {
            throw new BadReply("has no volume");
        }
        if (!reply.hasStatus()) {
            throw new BadReply("has no status");
        }
        PluginVolume volume = Wire.volume(reply.getVolume());
        if (!volume.volumeId().equals(volumeId)) {
            throw new BadReply("has another volume, " + Words.quoted(volume.volumeId()));
        }
        return new VolumeStatus(
                volume, nodes(reply.getStatus().getPublishedNodeIdsList()), OldCondition.read(reply.getStatus()));
    }

    private static SortedSet<String> nodes(List<String> sent) throws BadReply {
        TreeSet<String> nodes = new TreeSet<>();
        for (String node : sent) {
            // Some say so of a volume that is attached nowhere.
            if (!node.isEmpty()) {
                nodes.add(Replies.id("published_node_id", node));
            }
        }
        return nodes;
    }

    static Validation validation(ValidateVolumeCapabilitiesResponse reply, List<String> hidden) throws BadReply {
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
}
