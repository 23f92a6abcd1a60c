package io.cleat.api;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What an operator says of a node.
 *
 * @param Meta by key; null takes a key away
 * @param NodeID empty for the node of the agent that is asked
 */
public record NodeMetaRequest(@Nullable Map<String, @Nullable String> Meta, String NodeID) {}
