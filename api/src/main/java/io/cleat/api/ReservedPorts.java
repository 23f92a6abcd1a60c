package io.cleat.api;

/** Ports a node keeps for itself. */
public record ReservedPorts(String ReservedHostPorts) {}
