package io.cleat.state;

import io.cleat.model.BlockedBy;

/**
 * What a node has not answered yet: that it is to make a host volume, or to delete it.
 *
 * @param path of the directory that it is to take in; empty for one that it is to make
 * @param tries how often it was asked in vain, without the first time
 * @param blockedBy why it is not done, and when the node is asked again; never again if it names no time
 */
public record HostVolumeOrder(String path, int tries, BlockedBy blockedBy) {}
