package io.cleat.csi;

import java.util.List;

/**
 * What is wrong with a volume (CSI 1.13, VolumeHealth).
 *
 * @param findings empty where nothing is known to be wrong
 */
public record VolumeHealth(String volumeId, List<Finding> findings) {
    public VolumeHealth {
        findings = List.copyOf(findings);
    }

    /**
     * One thing that is wrong; of a kind that this version does not know are left out.
     *
     * @param reason one word, for machines; may be empty
     * @param message for people; may be empty
     */
    public record Finding(Kind kind, String reason, String message) {}

    /** How it is wrong. */
    public enum Kind {
        /** It works, with less speed or redundancy. */
        DEGRADED,
        /** Data cannot be reached now. */
        INACCESSIBLE,
        /** Data is lost. */
        DATA_LOSS
    }
}
