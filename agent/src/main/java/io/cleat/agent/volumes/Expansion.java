package io.cleat.agent.volumes;

/**
 * How large a volume is to be on its nodes.
 *
 * @param bytes at least; 0 for any size
 * @param compareOnly whether nodes have no part in it, by the words of the plugin's controller: a device is looked at,
 *     whether it is as large, and nothing is called
 */
public record Expansion(long bytes, boolean compareOnly) {}
