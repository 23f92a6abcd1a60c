package io.cleat.csi;

/**
 * How far a reading of block metadata came.
 *
 * @param complete whether the plugin has nothing more to tell; else the reader or the query's limit ended it
 * @param nextOffset from where to go on, in bytes from the volume's start
 */
public record BlockRead(boolean complete, long nextOffset) {}
