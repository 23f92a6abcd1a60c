package io.cleat.views;

import io.cleat.api.FieldDiff;
import io.cleat.api.ObjectDiff;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/** How two JSON values differ, in the form of job diffs. A missing or null value is no value. */
final class Diffs {
    private static final JsonNode NONE = MissingNode.getInstance();

    private Diffs() {}

    static String type(JsonNode old, JsonNode now, boolean isChanged) {
        if (isNothing(old)) {
            return "Added";
        }
        return isNothing(now) ? "Deleted" : isChanged ? "Edited" : "None";
    }

    /**
     * The single values of two objects, by name.
     *
     * @param hidden names that are left out
     * @param unchanged whether equal ones are shown too
     */
    static List<FieldDiff> fields(
            JsonNode old, JsonNode now, Set<String> hidden, boolean unchanged) {
        Map<String, String> before = new TreeMap<>();
        Map<String, String> after = new TreeMap<>();
        collect(old, hidden, before);
        collect(now, hidden, after);
        return fields(before, after, unchanged);
    }

    private static void collect(JsonNode object, Set<String> hidden, Map<String, String> into) {
        for (Map.Entry<String, JsonNode> field : object.properties()) {
            JsonNode value = field.getValue();
            if (value.isValueNode() && !value.isNull() && !hidden.contains(field.getKey())) {
                into.put(field.getKey(), value.asString());
            }
        }
    }

    private static List<FieldDiff> fields(
            Map<String, String> before, Map<String, String> after, boolean unchanged) {
        Set<String> names = new TreeSet<>(before.keySet());
        names.addAll(after.keySet());
        List<FieldDiff> fields = new ArrayList<>();
        for (String name : names) {
            String old = before.getOrDefault(name, "");
            String now = after.getOrDefault(name, "");
            if (unchanged || !old.equals(now)) {
                fields.add(new FieldDiff(null, name, now, old, fieldType(old, now)));
            }
        }
        return fields;
    }

    private static String fieldType(String old, String now) {
        if (old.equals(now)) {
            return "None";
        }
        return old.isEmpty() ? "Added" : now.isEmpty() ? "Deleted" : "Edited";
    }

    /** The entries of two maps, each named {@code title[key]}. */
    static List<FieldDiff> entries(String title, JsonNode old, JsonNode now) {
        Map<String, String> before = new TreeMap<>();
        Map<String, String> after = new TreeMap<>();
        flatten(old, title, before);
        flatten(now, title, after);
        return fields(before, after, false);
    }

    /** What lies in a value, each single value named by the way to it. */
    private static void flatten(JsonNode value, String name, Map<String, String> into) {
        if (value.isObject()) {
            for (Map.Entry<String, JsonNode> field : value.properties()) {
                flatten(
                        field.getValue(),
                        name.isEmpty() ? field.getKey() : name + "[" + field.getKey() + "]",
                        into);
            }
        } else if (value.isArray()) {
            for (int i = 0; i < value.size(); i++) {
                flatten(value.get(i), name + "[" + i + "]", into);
            }
        } else if (!isNothing(value)) {
            into.put(name, value.asString());
        }
    }

    /**
     * Two blocks; empty if they are equal.
     *
     * @param unchanged whether equal values are shown beside those that differ
     */
    static Optional<ObjectDiff> object(
            String name, JsonNode old, JsonNode now, Set<String> hidden, boolean unchanged) {
        if (isNothing(old) && isNothing(now)) {
            return Optional.empty();
        }
        boolean isFree = name.equals("Config");
        List<FieldDiff> fields =
                isFree ? entries("", old, now) : fields(old, now, hidden, unchanged);
        List<ObjectDiff> objects = new ArrayList<>();
        if (!isFree) {
            Set<String> inner = new TreeSet<>(old.propertyNames());
            inner.addAll(now.propertyNames());
            for (String each : inner) {
                inner(each, old.path(each), now.path(each)).ifPresent(objects::add);
            }
        }
        boolean isChanged =
                !objects.isEmpty()
                        || fields.stream().anyMatch(field -> !field.Type().equals("None"));
        return isChanged || isNothing(old) || isNothing(now)
                ? Optional.of(
                        new ObjectDiff(orNull(fields), name, orNull(objects), type(old, now, true)))
                : Optional.empty();
    }

    private static Optional<ObjectDiff> inner(String name, JsonNode old, JsonNode now) {
        if (old.isArray() || now.isArray()) {
            return words(name, old, now);
        }
        return old.isObject() || now.isObject()
                ? object(name, old, now, Set.of(), false)
                : Optional.empty();
    }

    /** Two lists of words, without order; empty if they hold the same. */
    static Optional<ObjectDiff> words(String name, JsonNode old, JsonNode now) {
        Set<String> before = texts(old);
        Set<String> after = texts(now);
        List<FieldDiff> fields = new ArrayList<>();
        Set<String> all = new TreeSet<>(before);
        all.addAll(after);
        for (String word : all) {
            if (!before.contains(word)) {
                fields.add(new FieldDiff(null, name, word, "", "Added"));
            } else if (!after.contains(word)) {
                fields.add(new FieldDiff(null, name, "", word, "Deleted"));
            }
        }
        return fields.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        new ObjectDiff(
                                fields,
                                name,
                                null,
                                before.isEmpty()
                                        ? "Added"
                                        : after.isEmpty() ? "Deleted" : "Edited"));
    }

    private static Set<String> texts(JsonNode list) {
        Set<String> texts = new TreeSet<>();
        list.forEach(each -> texts.add(each.isValueNode() ? each.asString() : each.toString()));
        return texts;
    }

    /** Two lists of blocks that have no name: those in one list only. */
    static List<ObjectDiff> set(String name, JsonNode old, JsonNode now) {
        Set<JsonNode> before = new java.util.LinkedHashSet<>();
        Set<JsonNode> after = new java.util.LinkedHashSet<>();
        old.forEach(before::add);
        now.forEach(after::add);
        List<ObjectDiff> objects = new ArrayList<>();
        for (JsonNode gone : before) {
            if (!after.contains(gone)) {
                object(name, gone, NONE, Set.of(), true).ifPresent(objects::add);
            }
        }
        for (JsonNode fresh : after) {
            if (!before.contains(fresh)) {
                object(name, NONE, fresh, Set.of(), true).ifPresent(objects::add);
            }
        }
        return objects;
    }

    /** Two maps of blocks, matched by their keys. */
    static List<ObjectDiff> named(String name, JsonNode old, JsonNode now) {
        Set<String> keys = new TreeSet<>(old.propertyNames());
        keys.addAll(now.propertyNames());
        List<ObjectDiff> objects = new ArrayList<>();
        for (String key : keys) {
            object(name, old.path(key), now.path(key), Set.of(), false).ifPresent(objects::add);
        }
        return objects;
    }

    /** Blocks of a list by the name in each. */
    static Map<String, JsonNode> byName(JsonNode list) {
        Map<String, JsonNode> byName = new TreeMap<>();
        list.forEach(each -> byName.put(each.path("Name").asString(), each));
        return byName;
    }

    static <T> @Nullable List<T> orNull(List<T> list) {
        return list.isEmpty() ? null : list;
    }

    private static boolean isNothing(JsonNode value) {
        return value.isMissingNode() || value.isNull();
    }
}
