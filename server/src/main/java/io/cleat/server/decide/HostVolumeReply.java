package io.cleat.server.decide;

import io.cleat.model.VolumeId;

/**
 * What was noted of a host volume, before its node is asked.
 *
 * @param isGone whether it is forgotten, and nobody has to be asked
 */
public record HostVolumeReply(VolumeId id, boolean isGone) {}
