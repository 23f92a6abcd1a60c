package io.cleat.api;

/**
 * A host volume as its node tells of it.
 *
 * @param ID empty for one that the node's operator has named
 */
public record NodeHostVolume(String ID, String Name, String Path, boolean ReadOnly) {}
