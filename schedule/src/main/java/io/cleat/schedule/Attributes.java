package io.cleat.schedule;

import io.cleat.model.NodeFacts;
import org.jspecify.annotations.Nullable;

/** The meaning of <code>${..}</code> in a constraint, for one node. */
final class Attributes {
    private Attributes() {}

    /** The text itself, or what its reference stands for; null where the node has no such thing. */
    static @Nullable String resolve(String text, NodeFacts node) {
        if (!text.startsWith("${") || !text.endsWith("}")) {
            return text;
        }
        String name = text.substring(2, text.length() - 1).strip();
        if (name.startsWith("attr.")) {
            return node.attributes().get(name.substring("attr.".length()));
        }
        if (name.startsWith("meta.")) {
            return node.meta().get(name.substring("meta.".length()));
        }
        if (name.startsWith("driver.")) {
            return node.attributes().get(name);
        }
        return switch (name) {
            case "node.unique.id" -> node.id();
            case "node.unique.name" -> node.name();
            case "node.datacenter" -> node.datacenter();
            case "node.class" -> node.nodeClass();
            case "node.pool" -> node.nodePool();
            default -> null;
        };
    }
}
