package io.cleat.csi;

import java.util.Optional;

/**
 * What a plugin calls the node it runs on.
 *
 * @param nodeId the provider's name of the node
 * @param maxVolumes how many volumes the node can hold; {@code Long.MAX_VALUE} for no limit
 * @param topology absent where the plugin has none
 */
public record NodeIdentity(String nodeId, long maxVolumes, Optional<Topology> topology) {}
