package io.cleat.localplugin;

import io.cleat.csi.v1.VolumeCapability;
import io.cleat.csi.v1.VolumeCapability.AccessMode.Mode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The rules of access modes, and which capabilities each type of volume has. */
final class Access {
    private static final Set<String> EVERYWHERE = Set.of("ro", "rw");
    private static final Set<String> EXT4_ONLY =
            Set.of("nosuid", "nodev", "noexec", "noatime", "discard", "nodiscard");

    private Access() {}

    /** Whether the mode lets nobody write. */
    static boolean isReader(Mode mode) {
        return mode == Mode.SINGLE_NODE_READER_ONLY || mode == Mode.MULTI_NODE_READER_ONLY;
    }

    /** Whether the mode lets several nodes use the volume at a time. */
    static boolean isMultiNode(Mode mode) {
        return switch (mode) {
            case MULTI_NODE_READER_ONLY, MULTI_NODE_SINGLE_WRITER, MULTI_NODE_MULTI_WRITER -> true;
            case SINGLE_NODE_WRITER,
                    SINGLE_NODE_READER_ONLY,
                    SINGLE_NODE_SINGLE_WRITER,
                    SINGLE_NODE_MULTI_WRITER,
                    UNKNOWN,
                    UNRECOGNIZED ->
                    false;
        };
    }

    /**
     * Whether a volume published in this mode may be published at a second target on the same node
     * (CSI, NodePublishVolume, second table).
     */
    static boolean allowsSecondTarget(Mode mode) {
        return isMultiNode(mode) || mode == Mode.SINGLE_NODE_MULTI_WRITER;
    }

    /**
     * The faults of a capability for a volume of {@code type}; empty when it can be had.
     *
     * <p>An image holds a file system that two machines must not mount at once, so no ext4 volume
     * has a mode for several nodes.
     */
    static List<String> faults(VolumeType type, VolumeCapability capability) {
        List<String> faults = new ArrayList<>();
        Mode mode = capability.getAccessMode().getMode();
        if (capability.hasBlock()) {
            faults.add("raw block volumes are not served; ask for access type mount");
        } else if (!capability.hasMount()) {
            faults.add("volume_capability has no access type; expected mount");
        }
        if (mode == Mode.UNKNOWN || mode == Mode.UNRECOGNIZED) {
            faults.add("volume_capability has no access mode that this plugin knows");
        } else if (type == VolumeType.EXT4 && isMultiNode(mode)) {
            faults.add(
                    "an ext4 volume is mounted on one node at a time and has no mode "
                            + mode
                            + "; use a SINGLE_NODE mode, or type=directory");
        }
        String fsType = capability.getMount().getFsType();
        if (type == VolumeType.EXT4 && !fsType.isEmpty() && !fsType.equals("ext4")) {
            faults.add(
                    "fs_type "
                            + fsType
                            + " is not served for an ext4 volume; expected ext4 or none");
        }
        if (type == VolumeType.DIRECTORY && !fsType.isEmpty()) {
            faults.add(
                    "a directory volume has no file system of its own, and fs_type "
                            + fsType
                            + " was asked for; leave it empty, or use type=ext4");
        }
        Set<String> known = flags(type);
        for (String flag : capability.getMount().getMountFlagsList()) {
            if (!known.contains(flag)) {
                // Flags may carry what is not for everybody's eyes: only what is known is named.
                faults.add("one of mount_flags is not among those known here: " + known);
            }
        }
        return faults;
    }

    /** As {@link #faults}, refusing. */
    static void check(VolumeType type, VolumeCapability capability) throws CallRefused {
        List<String> faults = faults(type, capability);
        if (!faults.isEmpty()) {
            throw CallRefused.invalid(String.join("; ", faults));
        }
    }

    /** The mount flags that a volume of {@code type} can have. */
    static Set<String> flags(VolumeType type) {
        Set<String> flags = new TreeSet<>(EVERYWHERE);
        if (type == VolumeType.EXT4) {
            flags.addAll(EXT4_ONLY);
        }
        return flags;
    }
}
