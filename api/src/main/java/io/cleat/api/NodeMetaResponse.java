package io.cleat.api;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is said of a node.
 *
 * @param Dynamic what operators have said; null for what they took away of the others
 * @param Meta what counts
 * @param Static what the node was started with
 */
public record NodeMetaResponse(
        Map<String, @Nullable String> Dynamic, Map<String, String> Meta, Map<String, String> Static) {}
