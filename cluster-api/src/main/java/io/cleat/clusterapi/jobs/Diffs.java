package io.cleat.clusterapi.jobs;

import io.cleat.api.FieldDiff;
import io.cleat.api.ObjectDiff;
import io.cleat.base.InputLimits;
import io.cleat.base.Meter;
import io.cleat.base.Refused;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.StringNode;

/**
 * How two JSON values differ, in the form of job diffs. A missing or null value is no value. The work is metered: a
 * name inside many others is made anew for each value below it, so that a small text could ask for much. For one
 * thread.
 */
final class Diffs {
    private static final JsonNode NONE = MissingNode.getInstance();

    /** What one diff may take: some seconds, and some 32 MiB. */
    static final Meter.Limits LIMITS = new Meter.Limits(2_000_000, 16 << 20, InputLimits.DEPTH + 2);

    private final Meter meter;

    Diffs(Meter meter) {
        this.meter = meter;
    }

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
    List<FieldDiff> fields(JsonNode old, JsonNode now, Set<String> hidden, boolean unchanged) throws Refused {
        Map<String, String> before = new TreeMap<>();
        Map<String, String> after = new TreeMap<>();
        collect(old, hidden, before);
        collect(now, hidden, after);
        return fields(before, after, unchanged);
    }

    private void collect(JsonNode object, Set<String> hidden, Map<String, String> into) throws Refused {
        for (Map.Entry<String, JsonNode> field : object.properties()) {
            JsonNode value = field.getValue();
            if (value.isValueNode() && !value.isNull() && !hidden.contains(field.getKey())) {
                put(into, field.getKey(), value);
            }
        }
    }

    private void put(Map<String, String> into, String name, JsonNode value) throws Refused {
        meter.makeElements(1);
        into.put(name, value.asString());
    }

    private List<FieldDiff> fields(Map<String, String> before, Map<String, String> after, boolean unchanged)
            throws Refused {
        Set<String> names = new TreeSet<>(before.keySet());
        names.addAll(after.keySet());
        List<FieldDiff> fields = new ArrayList<>();
        for (String name : names) {
            String old = before.getOrDefault(name, "");
            String now = after.getOrDefault(name, "");
            meter.read((long) old.length() + now.length());
            if (unchanged || !old.equals(now)) {
                meter.makeElements(1);
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
    List<FieldDiff> entries(String title, JsonNode old, JsonNode now) throws Refused {
        Map<String, String> before = new TreeMap<>();
        Map<String, String> after = new TreeMap<>();
        flatten(old, title, before);
        flatten(now, title, after);
        return fields(before, after, false);
    }

    /** What lies in a value, each single value named by the way to it. */
    private void flatten(JsonNode value, String name, Map<String, String> into) throws Refused {
        meter.enter();
        if (value.isObject()) {
            for (Map.Entry<String, JsonNode> field : value.properties()) {
                flatten(field.getValue(), inside(name, field.getKey()), into);
            }
        } else if (value.isArray()) {
            for (int i = 0; i < value.size(); i++) {
                flatten(value.get(i), inside(name, String.valueOf(i)), into);
            }
        } else if (!isNothing(value)) {
            put(into, name, value);
        }
        meter.leave();
    }

    private String inside(String name, String key) throws Refused {
        meter.make((long) name.length() + key.length() + 2);
        return name.isEmpty() ? key : name + "[" + key + "]";
    }

    /**
     * Two blocks; empty if they are equal.
     *
     * @param unchanged whether equal values are shown beside those that differ
     */
    Optional<ObjectDiff> object(String name, JsonNode old, JsonNode now, Set<String> hidden, boolean unchanged)
            throws Refused {
        if (isNothing(old) && isNothing(now)) {
            return Optional.empty();
        }
        meter.makeElements(1);
        boolean isFree = name.equals("Config");
        List<FieldDiff> fields = isFree ? entries("", old, now) : fields(old, now, hidden, unchanged);
        List<ObjectDiff> objects = new ArrayList<>();
        if (!isFree) {
            Set<String> inner = new TreeSet<>(old.propertyNames());
            inner.addAll(now.propertyNames());
            for (String each : inner) {
                objects.addAll(inner(each, old.path(each), now.path(each)));
            }
        }
        boolean isChanged = !objects.isEmpty()
                || fields.stream().anyMatch(field -> !field.Type().equals("None"));
        return isChanged || isNothing(old) || isNothing(now)
                ? Optional.of(new ObjectDiff(orNull(fields), name, orNull(objects), type(old, now, true)))
                : Optional.empty();
    }

    private List<ObjectDiff> inner(String name, JsonNode old, JsonNode now) throws Refused {
        if (name.equals("Checks")) {
            return blocks("Check", old, now);
        }
        if (old.isArray() || now.isArray()) {
            return words(name, old, now).stream().toList();
        }
        return old.isObject() || now.isObject()
                ? object(name, old, now, Set.of(), false).stream().toList()
                : List.of();
    }

    /** Two lists of words, without order; empty if they hold the same. */
    Optional<ObjectDiff> words(String name, JsonNode old, JsonNode now) throws Refused {
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
                : Optional.of(new ObjectDiff(
                        fields, name, null, before.isEmpty() ? "Added" : after.isEmpty() ? "Deleted" : "Edited"));
    }

    private Set<String> texts(JsonNode list) throws Refused {
        Set<String> texts = new TreeSet<>();
        for (JsonNode each : list) {
            String text = each.isValueNode() ? each.asString() : each.toString();
            meter.makeElements(1);
            meter.make(text.length());
            texts.add(text);
        }
        return texts;
    }

    /** Two lists of blocks that have no name: those in one list only. */
    List<ObjectDiff> set(String name, JsonNode old, JsonNode now) throws Refused {
        Map<String, JsonNode> before = byText(old);
        Map<String, JsonNode> after = byText(now);
        List<ObjectDiff> objects = new ArrayList<>();
        for (Map.Entry<String, JsonNode> gone : before.entrySet()) {
            if (!after.containsKey(gone.getKey())) {
                object(name, gone.getValue(), NONE, Set.of(), true).ifPresent(objects::add);
            }
        }
        for (Map.Entry<String, JsonNode> fresh : after.entrySet()) {
            if (!before.containsKey(fresh.getKey())) {
                object(name, NONE, fresh.getValue(), Set.of(), true).ifPresent(objects::add);
            }
        }
        return objects;
    }

    /**
     * Blocks by a text that only equal ones share. As keys themselves they would be compared each with each where
     * somebody chose texts whose hashes are the same.
     */
    private Map<String, JsonNode> byText(JsonNode list) throws Refused {
        Map<String, JsonNode> byText = new LinkedHashMap<>();
        for (JsonNode each : list) {
            StringBuilder text = new StringBuilder();
            write(each, text);
            byText.put(text.toString(), each);
        }
        return byText;
    }

    private void write(JsonNode value, StringBuilder into) throws Refused {
        meter.enter();
        if (value.isObject()) {
            into.append('{');
            for (String name : new TreeSet<>(value.propertyNames())) {
                write(StringNode.valueOf(name), into);
                write(value.path(name), into);
            }
            into.append('}');
        } else if (value.isArray()) {
            into.append('[');
            for (JsonNode each : value) {
                write(each, into);
            }
            into.append(']');
        } else {
            String text = value.toString();
            meter.make(text.length() + 1L);
            into.append(text).append(',');
        }
        meter.leave();
    }

    /** Two maps of blocks, matched by their keys. */
    List<ObjectDiff> named(String name, JsonNode old, JsonNode now) throws Refused {
        Set<String> keys = new TreeSet<>(old.propertyNames());
        keys.addAll(now.propertyNames());
        List<ObjectDiff> objects = new ArrayList<>();
        for (String key : keys) {
            object(name, old.path(key), now.path(key), Set.of(), false).ifPresent(objects::add);
        }
        return objects;
    }

    /** Two lists of blocks, matched by the name in each. */
    List<ObjectDiff> blocks(String name, JsonNode old, JsonNode now) throws Refused {
        List<ObjectDiff> objects = new ArrayList<>();
        for (Pair each : pairs(old, now)) {
            object(name, each.old(), each.now(), Set.of(), false).ifPresent(objects::add);
        }
        return objects;
    }

    /** A block of two lists, by its name; missing where a list has none of it. */
    record Pair(String name, JsonNode old, JsonNode now) {}

    /** The blocks of two lists, matched by the name in each, in the order of names. */
    static List<Pair> pairs(JsonNode old, JsonNode now) {
        Map<String, JsonNode> before = byName(old);
        Map<String, JsonNode> after = byName(now);
        Set<String> names = new TreeSet<>(before.keySet());
        names.addAll(after.keySet());
        return names.stream()
                .map(name -> new Pair(name, before.getOrDefault(name, NONE), after.getOrDefault(name, NONE)))
                .toList();
    }

    private static Map<String, JsonNode> byName(JsonNode list) {
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
