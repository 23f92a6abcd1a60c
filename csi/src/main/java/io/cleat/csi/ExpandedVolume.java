package io.cleat.csi;

/**
 * A volume after it was made larger at its provider.
 *
 * @param capacityBytes its size now, above 0
 * @param nodeExpansionRequired whether each node that uses it is to make it larger as well, now or when it is next
 *     mounted
 */
public record ExpandedVolume(long capacityBytes, boolean nodeExpansionRequired) {}
