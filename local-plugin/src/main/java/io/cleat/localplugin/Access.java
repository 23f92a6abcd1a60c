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
    private static final Set<String> FILE_SYSTEMS =
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
                    UNRECOGNIZED -> false;
        };
    }

    /**
     * Whether a volume published in this mode may be published at a second target on the same node (CSI,
     * NodePublishVolume, second table).
     */
    static boolean allowsSecondTarget(Mode mode) {
        return isMultiNode(mode) || mode == Mode.SINGLE_NODE_MULTI_WRITER;
    }

    /**
     * The faults of a capability for a volume of {@code type}; empty when it can be had.
     *
     * <p>An image holds what two machines must not change at once, so no image has a mode for several nodes.
     */
    static List<String> faults(VolumeType type, VolumeCapability capability) {
        List<String> faults = new ArrayList<>();
        Mode mode = capability.getAccessMode().getMode();
        if (type == VolumeType.BLOCK && !capability.hasBlock()) {
            faults.add("a volume of type block is a device; ask for access type block");
        }
        if (type != VolumeType.BLOCK && !capability.hasMount()) {
            faults.add("a volume of type " + type.word() + " is mounted; ask for access type mount, or use type=block");
        }
        if (mode == Mode.UNKNOWN || mode == Mode.UNRECOGNIZED) {
            faults.add("volume_capability has no access mode that this plugin knows");
        } else if (type.isImage() && isMultiNode(mode)) {
            faults.add("a volume of type "
                    + type.word()
                    + " is used on one node at a time and has no mode "
                    + mode
                    + "; use a SINGLE_NODE mode, or type=directory");
        }
        if (capability.hasMount()) {
            addMountFaults(type, capability.getMount(), faults);
        }
        return faults;
    }

    private static void addMountFaults(VolumeType type, VolumeCapability.MountVolume mount, List<String> faults) {
        String fsType = mount.getFsType();
        if (type.isFileSystem() && !fsType.isEmpty() && !fsType.equals(type.word())) {
            faults.add("fs_type "
                    + fsType
                    + " is not served for a volume of type "
                    + type.word()
                    + "; expected "
                    + type.word()
                    + " or none");
        }
        if (type == VolumeType.DIRECTORY && !fsType.isEmpty()) {
            faults.add("a directory volume has no file system of its own, and fs_type "
                    + fsType
                    + " was asked for; leave it empty, or use a type with one");
        }
        Set<String> known = flags(type);
        if (!known.containsAll(mount.getMountFlagsList())) {
            // Flags may carry what is not for everybody's eyes: only what is known is named.
            faults.add("one of mount_flags is not among those known here: " + known);
        }
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
        if (type.isFileSystem()) {
            flags.addAll(FILE_SYSTEMS);
        }
        return flags;
    }
}
