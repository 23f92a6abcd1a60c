package io.cleat.csi;

import io.cleat.base.Secrets;
import java.util.Optional;

/**
 * A volume to be made larger at its provider.
 *
 * @param capacity at least one bound is set
 * @param use how the volume is used now; absent while it is not
 */
public record ControllerExpansion(String volumeId, CapacityRange capacity, Optional<VolumeUse> use, Secrets secrets) {
    public ControllerExpansion {
        if (!capacity.isBounded()) {
            throw new IllegalArgumentException("volume " + volumeId + " to be expanded to any size, expected a bound");
        }
    }
}
