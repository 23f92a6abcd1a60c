package io.cleat.api;

/**
 * A node that has acted on what the servers do not know.
 *
 * @param Version the highest that it has acted on
 * @param Reign the random id of the reign of that version; empty if it is not known
 * @param KnownVersion the version that the servers were at
 * @param Since when it said so, in ISO 8601
 */
public record RecoveryNode(String ID, String Name, long Version, String Reign, long KnownVersion, String Since) {}
