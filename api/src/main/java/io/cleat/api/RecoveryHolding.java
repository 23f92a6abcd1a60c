package io.cleat.api;

/**
 * A volume that a node holds for an allocation that the servers do not know.
 *
 * @param AllocID empty for what is staged and used by none
 * @param Since when the node said so, in ISO 8601
 */
public record RecoveryHolding(
        String NodeID, String AllocID, String Alias, String PluginID, String ExternalID, String Since) {}
