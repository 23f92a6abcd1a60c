package io.cleat.csi;

import java.util.Optional;

/**
 * Something that is wrong with the way from a node to its storage (CSI 1.13, NodeGetStorageHealthResponse).
 *
 * @param reason one word, for machines; may be empty
 * @param message for people; may be empty
 * @param use which uses it concerns; absent for all
 */
public record StorageHealth(Kind kind, String reason, String message, Optional<VolumeUse> use) {
    /** How it is wrong. */
    public enum Kind {
        /** It works, with less speed or redundancy. */
        STORAGE_DEGRADED,
        /** It cannot be reached now. */
        STORAGE_UNREACHABLE
    }
}
