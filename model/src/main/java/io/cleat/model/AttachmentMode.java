package io.cleat.model;

/** What a task gets: a mounted file system, or the block device itself. */
public enum AttachmentMode implements WireNamed {
    FILE_SYSTEM("file-system"),
    BLOCK_DEVICE("block-device");

    private final String wire;

    AttachmentMode(String wire) {
        this.wire = wire;
    }

    @Override
    public String wire() {
        return wire;
    }
}
