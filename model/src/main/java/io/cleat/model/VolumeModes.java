package io.cleat.model;

/** An access mode and an attachment mode together: a capability a volume is asked to have. */
public record VolumeModes(AccessMode access, AttachmentMode attachment) {
    /**
     * The name of the directory in which a claim with these modes is published: {@code rw} or {@code ro}, attachment
     * mode, access mode, joined by dashes.
     */
    public String usage(boolean readOnly) {
        return (readOnly ? "ro-" : "rw-") + attachment.wire() + "-" + access.wire();
    }
}
