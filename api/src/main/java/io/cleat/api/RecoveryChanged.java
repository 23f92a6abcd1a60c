package io.cleat.api;

/**
 * A recovery was ended, or a node's holdings were freed.
 *
 * @param Count how many nodes begin anew, or how many holdings went
 */
public record RecoveryChanged(int Count) {}
