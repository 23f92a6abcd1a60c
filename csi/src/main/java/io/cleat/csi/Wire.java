package io.cleat.csi;

import io.cleat.csi.v1.TopologyRequirement;
import io.cleat.csi.v1.Volume;
import io.cleat.csi.v1.VolumeCapability;
import io.cleat.csi.v1.VolumeContentSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The one conversion between our records and the wire's messages. */
final class Wire {
    private Wire() {}

    static VolumeCapability use(VolumeUse use) {
        VolumeCapability.Builder capability = VolumeCapability.newBuilder();
        switch (use.type()) {
            case AccessType.Block() -> capability.getBlockBuilder();
            case AccessType.Mount(String fsType, MountFlags flags, String group) ->
                capability
                        .getMountBuilder()
                        .setFsType(fsType)
                        .addAllMountFlags(flags.reveal())
                        .setVolumeMountGroup(group);
        }
        capability
                .getAccessModeBuilder()
                .setMode(VolumeCapability.AccessMode.Mode.valueOf(use.mode().name()));
        return capability.build();
    }

    static List<VolumeCapability> uses(List<VolumeUse> uses) {
        return uses.stream().map(Wire::use).toList();
    }

    static VolumeUse use(VolumeCapability capability) throws BadReply {
        AccessMode mode = sameName(AccessMode.class, capability.getAccessMode().getMode())
                .orElseThrow(() -> new BadReply("has a capability without access mode"));
        return switch (capability.getAccessTypeCase()) {
            case BLOCK -> new VolumeUse(AccessType.BLOCK, mode);
            case MOUNT -> {
                VolumeCapability.MountVolume mount = capability.getMount();
                yield new VolumeUse(
                        new AccessType.Mount(
                                mount.getFsType(),
                                MountFlags.of(mount.getMountFlagsList()),
                                mount.getVolumeMountGroup()),
                        mode);
            }
            case ACCESSTYPE_NOT_SET -> throw new BadReply("has a capability without access type");
        };
    }

    static io.cleat.csi.v1.CapacityRange range(CapacityRange range) {
        return io.cleat.csi.v1.CapacityRange.newBuilder()
                .setRequiredBytes(range.requiredBytes())
                .setLimitBytes(range.limitBytes())
                .build();
    }

    static io.cleat.csi.v1.Topology topology(Topology topology) {
        return io.cleat.csi.v1.Topology.newBuilder()
                .putAllSegments(topology.segments())
                .build();
    }

    static Topology topology(io.cleat.csi.v1.Topology topology) throws BadReply {
        return new Topology(Replies.map("topology", topology.getSegmentsMap()));
    }

    static TopologyRequirement requirement(List<Topology> requisite, List<Topology> preferred) {
        return TopologyRequirement.newBuilder()
                .addAllRequisite(requisite.stream().map(Wire::topology).toList())
                .addAllPreferred(preferred.stream().map(Wire::topology).toList())
                .build();
    }

    static Optional<VolumeContentSource> source(ContentSource source) {
        VolumeContentSource.Builder wire = VolumeContentSource.newBuilder();
        switch (source) {
            case ContentSource.Empty() -> {
                return Optional.empty();
            }
            case ContentSource.FromSnapshot(String snapshotId) ->
                wire.getSnapshotBuilder().setSnapshotId(snapshotId);
            case ContentSource.FromVolume(String volumeId) ->
                wire.getVolumeBuilder().setVolumeId(volumeId);
        }
        return Optional.of(wire.build());
    }

    static ContentSource source(VolumeContentSource source) throws BadReply {
        return switch (source.getTypeCase()) {
            case SNAPSHOT ->
                new ContentSource.FromSnapshot(
                        Replies.id("snapshot_id", source.getSnapshot().getSnapshotId()));
            case VOLUME ->
                new ContentSource.FromVolume(
                        Replies.id("source volume_id", source.getVolume().getVolumeId()));
            case TYPE_NOT_SET -> ContentSource.EMPTY;
        };
    }

    static PluginVolume volume(Volume volume) throws BadReply {
        List<Topology> topologies = new ArrayList<>();
        for (io.cleat.csi.v1.Topology topology : volume.getAccessibleTopologyList()) {
            topologies.add(topology(topology));
        }
        return new PluginVolume(
                Replies.id("volume_id", volume.getVolumeId()),
                Replies.size("capacity_bytes", volume.getCapacityBytes()),
                Replies.map("volume_context", volume.getVolumeContextMap()),
                topologies,
                source(volume.getContentSource()));
    }

    /** Our constant of the wire's name; none for a value that this version does not know. */
    static <E extends Enum<E>> Optional<E> sameName(Class<E> ours, Enum<?> wire) {
        return Arrays.stream(ours.getEnumConstants())
                .filter(constant -> constant.name().equals(wire.name()))
                .findFirst();
    }

    /** Those of the wire's values that this version knows, in the order of ours. */
    static <E extends Enum<E>> Set<E> known(Class<E> ours, List<? extends Enum<?>> wire) {
        EnumSet<E> found = EnumSet.noneOf(ours);
        wire.forEach(value -> sameName(ours, value).ifPresent(found::add));
        return found;
    }
}
