package io.cleat.csi;

/**
 * What a plugin of CSI 1.12 or older thinks of a volume (VolumeCondition); later plugins answer {@link HealthClient}.
 *
 * @param message for people; may be empty
 */
public record VolumeCondition(boolean abnormal, String message) {}
