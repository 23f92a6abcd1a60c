package io.cleat.csi;

import java.util.OptionalLong;

/** Room that a plugin has, in bytes. */
public record StorageCapacity(long availableBytes, OptionalLong largestVolumeBytes, OptionalLong smallestVolumeBytes) {}
