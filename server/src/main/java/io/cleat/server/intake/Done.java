package io.cleat.server.intake;

/**
 * A request was done.
 *
 * @param version of the cluster with it
 */
public record Done<R>(R reply, long version) {}
