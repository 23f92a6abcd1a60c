package io.cleat.csi;

/** How a consumer means to use a volume; CSI's VolumeCapability. */
public record VolumeUse(AccessType type, AccessMode mode) {}
