package io.cleat.api;

/** Somebody vouches that nothing is left of what the node holds: its machine is off for good. */
public record RecoveryAbandonRequest(String NodeID) {}
