package io.cleat.server.decide;

/**
 * The reply to a command about a node.
 *
 * @param version that changed the node; 0 if it was so before
 */
public record NodeReply(long version) {}
