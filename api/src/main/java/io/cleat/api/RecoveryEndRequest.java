package io.cleat.api;

/**
 * Ends a recovery.
 *
 * @param By who says so, for the record
 * @param Force though a node has not said what it holds
 */
public record RecoveryEndRequest(String By, boolean Force) {}
