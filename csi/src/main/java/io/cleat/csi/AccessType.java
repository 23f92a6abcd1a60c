package io.cleat.csi;

/** What a consumer of a volume gets to see. */
public sealed interface AccessType {
    /** The block device itself. */
    record Block() implements AccessType {}

    /**
     * A mounted file system.
     *
     * @param fsType empty for the plugin's choice
     * @param group the numeric group that owns the files, empty for none; only for a node with VOLUME_MOUNT_GROUP
     */
    record Mount(String fsType, MountFlags flags, String group) implements AccessType {}

    AccessType BLOCK = new Block();

    /** A file system of the plugin's choice without flags. */
    AccessType MOUNT = mount("", MountFlags.none());

    static AccessType mount(String fsType, MountFlags flags) {
        return new Mount(fsType, flags, "");
    }
}
