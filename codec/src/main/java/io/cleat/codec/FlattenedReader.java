package io.cleat.codec;

import io.cleat.base.Flattened;
import io.cleat.base.InvariantBroken;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.ValueDeserializer;

/**
 * Reads a record that has {@link Flattened} groups. The library's own way keeps what belongs to groups in memory and
 * reads that once more for each of them, and lets pass what nobody knows.
 */
final class FlattenedReader extends ValueDeserializer<Object> {
    private final Class<?> type;
    private final List<Group> groups = new ArrayList<>();
    private final Map<String, Slot> slots = new HashMap<>();

    FlattenedReader(Class<?> type) {
        this.type = type;
    }

    /** Where the value of a component goes, and how it is read. */
    private record Slot(Group group, int index, ValueDeserializer<Object> reader) {}

    /**
     * The record, or a group.
     *
     * @param number its place among them
     * @param inner by the place of the component that each is
     */
    private record Group(RecordConstructor constructor, int number, Map<Integer, Group> inner) {}

    @Override
    public void resolve(DeserializationContext context) {
        resolved(type, context);
    }

    private Group resolved(Class<?> of, DeserializationContext context) {
        RecordComponent[] components = of.getRecordComponents();
        Group group = new Group(RecordConstructor.of(of), groups.size(), new HashMap<>());
        groups.add(group);
        for (int i = 0; i < components.length; i++) {
            if (components[i].isAnnotationPresent(Flattened.class)) {
                group.inner().put(i, resolved(components[i].getType(), context));
            } else {
                Slot slot = new Slot(group, i, reader(components[i].getGenericType(), context));
                if (slots.put(components[i].getName(), slot) != null) {
                    throw new InvariantBroken("two components have the same name", components[i]);
                }
            }
        }
        return group;
    }

    private static ValueDeserializer<Object> reader(Type of, DeserializationContext context) {
        return context.findRootValueDeserializer(context.getTypeFactory().constructType(of));
    }

    @Override
    public @Nullable Object deserialize(JsonParser from, DeserializationContext context) {
        if (!from.isExpectedStartObjectToken()) {
            return context.handleUnexpectedToken(type, from);
        }
        List<@Nullable Object[]> values = new ArrayList<>(groups.size());
        for (Group group : groups) {
            values.add(new @Nullable Object[group.constructor().size()]);
        }
        for (String name = from.nextName(); name != null; name = from.nextName()) {
            JsonToken first = from.nextToken();
            Slot slot = slots.get(name);
            if (slot == null) {
                context.handleUnknownProperty(from, this, type, name);
                from.skipChildren();
            } else {
                @Nullable Object[] of = values.get(slot.group().number());
                of[slot.index()] = read(slot, name, first, from, context);
            }
        }
        return made(groups.getFirst(), values, context);
    }

    private @Nullable Object read(
            Slot slot, String name, JsonToken first, JsonParser from, DeserializationContext context) {
        try {
            return first == JsonToken.VALUE_NULL
                    ? slot.reader().getNullValue(context)
                    : slot.reader().deserialize(from, context);
        } catch (JacksonException damaged) {
            throw DatabindException.wrapWithPath(context, damaged, new JacksonException.Reference(type, name));
        }
    }

    private static @Nullable Object made(Group group, List<@Nullable Object[]> all, DeserializationContext context) {
        @Nullable Object[] values = all.get(group.number());
        group.inner().forEach((index, inner) -> values[index] = made(inner, all, context));
        return group.constructor().make(values, context);
    }
}
