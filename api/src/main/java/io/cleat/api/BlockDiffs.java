package io.cleat.api;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/** How two JSON objects differ, field by field. What is not there is {@link #NOTHING}. */
final class BlockDiffs {
    static final JsonNode NOTHING = MissingNode.getInstance();

    private BlockDiffs() {}

    /** The values of both that are no blocks, and the entries of {@code Meta}. */
    static List<FieldDiff> scalars(JsonNode old, JsonNode now, Set<String> leftOut) {
        List<FieldDiff> fields = new ArrayList<>();
        for (String name : names(old, now)) {
            if (name.equals("Meta")) {
                fields.addAll(entries("Meta", old, now));
            } else if (!leftOut.contains(name)
                    && !old.path(name).isContainer()
                    && !now.path(name).isContainer()) {
                fields.add(field(name, text(old.path(name)), text(now.path(name))));
            }
        }
        return fields;
    }

    /** The entries of a map, as {@code Meta[key]}. */
    static List<FieldDiff> entries(String map, JsonNode old, JsonNode now) {
        List<FieldDiff> fields = new ArrayList<>();
        for (String key : names(old.path(map), now.path(map))) {
            fields.add(
                    field(
                            map + "[" + key + "]",
                            text(old.path(map).path(key)),
                            text(now.path(map).path(key))));
        }
        return fields;
    }

    static List<FieldDiff> changed(List<FieldDiff> fields) {
        return fields.stream().filter(field -> !field.Type().equals("None")).toList();
    }

    /** A block, if it differs: then with what is the same in it too, but not with what is empty. */
    static void addBlock(
            String name, JsonNode old, JsonNode now, Set<String> leftOut, List<ObjectDiff> to) {
        List<FieldDiff> fields = new ArrayList<>();
        Map<String, String> before = flat(old);
        Map<String, String> after = flat(now);
        Set<String> names = new TreeSet<>(before.keySet());
        names.addAll(after.keySet());
        names.removeAll(leftOut);
        for (String key : names) {
            FieldDiff field = field(key, before.getOrDefault(key, ""), after.getOrDefault(key, ""));
            if (!field.Old().isEmpty() || !field.New().isEmpty()) {
                fields.add(field);
            }
        }
        if (!changed(fields).isEmpty()) {
            to.add(new ObjectDiff(fields, name, null, type(old, now, false)));
        }
    }

    /** A list of blocks: each that only one side has. */
    static void addItems(String name, JsonNode old, JsonNode now, List<ObjectDiff> to) {
        List<JsonNode> before = items(old);
        List<JsonNode> after = items(now);
        List<JsonNode> gone = new ArrayList<>(before);
        gone.removeAll(after);
        List<JsonNode> come = new ArrayList<>(after);
        come.removeAll(before);
        gone.forEach(item -> to.add(item(name, item, NOTHING)));
        come.forEach(item -> to.add(item(name, NOTHING, item)));
    }

    private static ObjectDiff item(String name, JsonNode old, JsonNode now) {
        return new ObjectDiff(scalars(old, now, Set.of()), name, null, type(old, now, false));
    }

    /** A list of texts as one block, if it differs. */
    static void addTexts(String name, JsonNode old, JsonNode now, List<ObjectDiff> to) {
        Set<String> before = texts(old.path(name));
        Set<String> after = texts(now.path(name));
        List<FieldDiff> fields = new ArrayList<>();
        Set<String> all = new TreeSet<>(before);
        all.addAll(after);
        for (String text : all) {
            fields.add(
                    field(
                            name,
                            before.contains(text) ? text : "",
                            after.contains(text) ? text : ""));
        }
        if (!changed(fields).isEmpty()) {
            String type = before.isEmpty() ? "Added" : after.isEmpty() ? "Deleted" : "Edited";
            to.add(new ObjectDiff(fields, name, null, type));
        }
    }

    static String type(JsonNode old, JsonNode now, boolean isSame) {
        boolean wasThere = old.isObject();
        boolean isThere = now.isObject();
        return !wasThere ? "Added" : !isThere ? "Deleted" : isSame ? "None" : "Edited";
    }

    static Set<String> names(JsonNode old, JsonNode now) {
        Set<String> names = new TreeSet<>(old.propertyNames());
        names.addAll(now.propertyNames());
        return names;
    }

    static <T> @Nullable List<T> orNull(List<T> list) {
        return list.isEmpty() ? null : list;
    }

    private static FieldDiff field(String name, String old, String now) {
        String type =
                old.equals(now)
                        ? "None"
                        : old.isEmpty() ? "Added" : now.isEmpty() ? "Deleted" : "Edited";
        return new FieldDiff(null, name, now, old, type);
    }

    /** Every value of a tree under its path, such as {@code args[0]} and {@code a.b}. */
    private static Map<String, String> flat(JsonNode node) {
        Map<String, String> values = new TreeMap<>();
        flatten("", node, values);
        return values;
    }

    private static void flatten(String path, JsonNode node, Map<String, String> values) {
        if (node.isObject()) {
            for (Map.Entry<String, JsonNode> entry : node.properties()) {
                String name = path.isEmpty() ? entry.getKey() : path + "." + entry.getKey();
                flatten(name, entry.getValue(), values);
            }
        } else if (node.isArray()) {
            for (int i = 0; i < node.size(); i++) {
                flatten(path + "[" + i + "]", node.get(i), values);
            }
        } else if (!path.isEmpty()) {
            values.put(path, text(node));
        }
    }

    private static String text(JsonNode value) {
        return value.isMissingNode() || value.isNull() ? "" : value.asString();
    }

    private static List<JsonNode> items(JsonNode list) {
        List<JsonNode> items = new ArrayList<>();
        list.forEach(items::add);
        return items;
    }

    private static Set<String> texts(JsonNode list) {
        Set<String> texts = new TreeSet<>();
        list.forEach(item -> texts.add(text(item)));
        return texts;
    }
}
