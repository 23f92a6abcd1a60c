package io.cleat.api;

/**
 * Decides who a quarantined node is.
 *
 * @param Accept whether who was not let in is the node from now on; else the node stays as it was
 * @param MachineIsOff the name or id of the node whose former machine is off; needed to accept
 */
public record NodeQuarantineRequest(boolean Accept, String MachineIsOff, String NodeID) {}
