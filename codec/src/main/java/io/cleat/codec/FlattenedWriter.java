package io.cleat.codec;

import io.cleat.base.Flattened;
import io.cleat.base.InvariantBroken;
import io.cleat.base.StoredOrder;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.ser.PropertyWriter;

/** Writes the components of {@link Flattened} groups as those of the record that has the groups. */
final class FlattenedWriter extends ValueSerializer<Object> {
    private final Class<?> type;
    private final ValueSerializer<?> usual;
    private final List<Group> groups = new ArrayList<>();
    private final List<Leaf> leaves = new ArrayList<>();

    /** @param usual how the record would be written without its groups */
    FlattenedWriter(Class<?> type, ValueSerializer<?> usual) {
        this.type = type;
        this.usual = usual;
    }

    /** A group, and the place of the record that has it; that is 0 for the whole. */
    private record Group(int owner, Method accessor) {}

    /** A component that is written, and the place of the record that has it. */
    private record Leaf(int owner, PropertyWriter writer) {}

    @Override
    public void resolve(SerializationContext context) {
        usual.resolve(context);
        collect(0, type, usual, context);
        StoredOrder order = type.getAnnotation(StoredOrder.class);
        if (order == null) {
            return;
        }
        List<String> names = Arrays.asList(order.value().strip().split("\\s+"));
        List<String> found =
                leaves.stream().map(each -> each.writer().getName()).toList();
        if (names.size() != found.size() || !new HashSet<>(names).equals(new HashSet<>(found))) {
            throw new InvariantBroken("its order names each component once", type);
        }
        leaves.sort(Comparator.comparingInt(each -> names.indexOf(each.writer().getName())));
    }

    private void collect(int place, Class<?> of, ValueSerializer<?> its, SerializationContext context) {
        Map<String, RecordComponent> grouped = new HashMap<>();
        for (RecordComponent component : of.getRecordComponents()) {
            if (component.isAnnotationPresent(Flattened.class)) {
                grouped.put(component.getName(), component);
            }
        }
        Iterator<PropertyWriter> properties = its.properties();
        while (properties.hasNext()) {
            PropertyWriter property = properties.next();
            RecordComponent component = grouped.get(property.getName());
            if (component == null) {
                leaves.add(new Leaf(place, property));
            } else {
                component.getAccessor().setAccessible(true);
                groups.add(new Group(place, component.getAccessor()));
                collect(groups.size(), component.getType(), context.findValueSerializer(component.getType()), context);
            }
        }
    }

    /** Of a group that has groups itself, for the record that has it. */
    @Override
    public Iterator<PropertyWriter> properties() {
        return usual.properties();
    }

    @Override
    public void serialize(Object whole, JsonGenerator to, SerializationContext context) {
        @Nullable Object[] owners = new @Nullable Object[groups.size() + 1];
        owners[0] = whole;
        for (int i = 0; i < groups.size(); i++) {
            Group group = groups.get(i);
            owners[i + 1] = StoredComponent.read(group.accessor(), owners[group.owner()]);
        }
        to.writeStartObject(whole);
        for (Leaf leaf : leaves) {
            try {
                leaf.writer().serializeAsProperty(owners[leaf.owner()], to, context);
            } catch (Exception refused) {
                throw DatabindException.wrapWithPath(
                        context,
                        refused,
                        new JacksonException.Reference(whole, leaf.writer().getName()));
            }
        }
        to.writeEndObject();
    }
}
