package io.cleat.csi;

import io.cleat.base.Secrets;
import java.util.Optional;

/**
 * A volume to be made larger on this node: its file system, or what the node knows of its device.
 *
 * @param volumePath where it is published or staged, as the plugin sees it
 * @param stagingPath as sent when it was staged; empty for a plugin that does not stage
 * @param capacity unbounded for as large as it can be
 * @param use absent for the plugin to find out by itself
 */
public record NodeExpansion(
        String volumeId,
        String volumePath,
        String stagingPath,
        CapacityRange capacity,
        Optional<VolumeUse> use,
        Secrets secrets) {}
