package io.cleat.api;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/**
 * A driver's configuration as the model holds it: strings, longs, doubles, booleans, lists and maps. A member that is
 * null is absent; a null inside a list is a fault, and so is a number that no double can hold. A whole number beyond a
 * long becomes a double.
 */
final class PlainValues {
    private PlainValues() {}

    /** What of {@code node} cannot be held, with its place. */
    static void check(JsonNode node, String place, Faults faults) {
        if (node.isObject()) {
            node.properties().forEach(each -> check(each.getValue(), place + "." + each.getKey(), faults));
        } else if (node.isArray()) {
            for (int i = 0; i < node.size(); i++) {
                String at = place + "[" + i + "]";
                faults.addIf(node.get(i).isNull(), "expected a value at " + at + ", given null");
                check(node.get(i), at, faults);
            }
        } else if (node.isNumber()) {
            faults.addIf(!Double.isFinite(node.doubleValue()), "the number at " + place + " is too large");
        }
    }

    /** @param object without anything that {@link #check} finds */
    static Map<String, Object> map(JsonNode object) {
        Map<String, Object> values = new TreeMap<>();
        for (Map.Entry<String, JsonNode> entry : object.properties()) {
            if (!entry.getValue().isNull()) {
                values.put(entry.getKey(), value(entry.getValue()));
            }
        }
        return values;
    }

    private static Object value(JsonNode node) {
        if (node.isObject()) {
            return map(node);
        }
        if (node.isArray()) {
            List<Object> values = new ArrayList<>();
            for (JsonNode item : node) {
                values.add(value(item));
            }
            return values;
        }
        if (node.isIntegralNumber() && node.canConvertToLong()) {
            return node.longValue();
        }
        if (node.isNumber()) {
            return node.doubleValue();
        }
        return node.isBoolean() ? (Object) node.booleanValue() : node.asString();
    }

    /** The same values with every map in the order of its names. */
    static Object sorted(Object value) {
        return switch (value) {
            case Map<?, ?> map -> {
                Map<String, Object> sorted = new TreeMap<>();
                map.forEach((name, item) -> sorted.put(String.valueOf(name), sorted(item)));
                yield sorted;
            }
            case List<?> list -> list.stream().map(PlainValues::sorted).toList();
            default -> value;
        };
    }
}
