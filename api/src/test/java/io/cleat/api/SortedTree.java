package io.cleat.api;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** A tree with the names of every object in order, for comparing what has no order. */
final class SortedTree {
    private SortedTree() {}

    static JsonNode of(JsonNode node) {
        if (node.isObject()) {
            ObjectNode sorted = JsonNodeFactory.instance.objectNode();
            node.propertyNames().stream().sorted().forEach(name -> sorted.set(name, of(node.get(name))));
            return sorted;
        }
        if (node.isArray()) {
            ArrayNode items = JsonNodeFactory.instance.arrayNode();
            node.forEach(item -> items.add(of(item)));
            return items;
        }
        return node;
    }
}
