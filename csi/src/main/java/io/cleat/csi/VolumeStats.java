package io.cleat.csi;

import java.util.Optional;

/**
 * How much of a volume is used, as its node says.
 *
 * @param bytes absent where the plugin does not say
 * @param inodes absent where the plugin does not say, or the volume has none
 * @param condition only from a node with VOLUME_CONDITION
 */
public record VolumeStats(Optional<Usage> bytes, Optional<Usage> inodes, Optional<VolumeCondition> condition) {
    /**
     * Counts of one unit, none negative. What is reserved makes used and available less than the total.
     *
     * @param available 0 also where not known
     * @param used 0 also where not known
     */
    public record Usage(long available, long total, long used) {}
}
