package io.cleat.codec;

import io.cleat.base.Ordered;
import io.cleat.base.Since;
import java.lang.reflect.Field;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.SerializationConfig;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.ser.BeanPropertyWriter;
import tools.jackson.databind.ser.ValueSerializerModifier;

/**
 * Writes records as older programs wrote them: what is marked {@link Since} a later level is left out, and where a
 * value has it, nothing is written.
 */
final class Levels extends ValueSerializerModifier {
    private static final long serialVersionUID = 1;

    /** A value has what the level that it is written at does not. */
    static final class Newer extends RuntimeException {
        private static final long serialVersionUID = 1;

        Newer(String why) {
            super(why);
        }
    }

    /**
     * For whom is written; a plain writer writes everything.
     *
     * @param level the feature level that is read there
     * @param wire the version of the protocol that is spoken there
     * @param leavesOut whether a component that is not read there is left out though it holds something
     */
    record Reader(int level, int wire, boolean leavesOut) {
        private static final Reader NEWEST = new Reader(Integer.MAX_VALUE, Integer.MAX_VALUE, false);

        private static Reader of(SerializationContext context) {
            return context.getAttribute(Levels.class) instanceof Reader reader ? reader : NEWEST;
        }

        boolean reads(Since since) {
            return level >= since.value() && wire >= since.wire();
        }

        Newer lacks(String what, Since since) {
            return since.wire() > wire
                    ? new Newer("this holds "
                            + what
                            + ", which needs version "
                            + since.wire()
                            + " of the protocol between server and node, and the other side speaks "
                            + wire)
                    : new Newer("this holds "
                            + what
                            + ", which needs feature level "
                            + since.value()
                            + ", and the cluster is at "
                            + level
                            + ": it is raised once every member runs a program that reads it");
        }
    }

    static ObjectWriter at(Reader reader, ObjectWriter writer) {
        return writer.withAttribute(Levels.class, reader);
    }

    @Override
    public List<BeanPropertyWriter> changeProperties(
            SerializationConfig config, BeanDescription.Supplier description, List<BeanPropertyWriter> properties) {
        Class<?> type = description.getBeanClass();
        if (!type.isRecord()) {
            return properties;
        }
        Since kind = type.getAnnotation(Since.class);
        Map<String, Since> components = new HashMap<>();
        for (RecordComponent component : type.getRecordComponents()) {
            Since since = component.getAnnotation(Since.class);
            if (since != null) {
                components.put(component.getName(), since);
            }
        }
        if (kind == null && components.isEmpty()) {
            return properties;
        }
        List<BeanPropertyWriter> marked = new ArrayList<>();
        for (BeanPropertyWriter property : properties) {
            Since since = components.get(property.getName());
            marked.add(
                    kind != null
                            ? new OfKind(property, type.getSimpleName(), kind)
                            : since != null ? new Later(property, since) : property);
        }
        return marked;
    }

    @Override
    public ValueSerializer<?> modifyEnumSerializer(
            SerializationConfig config, JavaType type, BeanDescription.Supplier description, ValueSerializer<?> usual) {
        Map<String, Since> marked = new HashMap<>();
        for (Field field : type.getRawClass().getFields()) {
            Since since = field.getAnnotation(Since.class);
            if (since != null && field.isEnumConstant()) {
                marked.put(field.getName(), since);
            }
        }
        return marked.isEmpty() ? usual : new Words(marked);
    }

    /** A component that came later than its record. */
    private static final class Later extends BeanPropertyWriter {
        private static final long serialVersionUID = 1;
        // Serializers are never themselves stored.
        private final transient Since since;

        Later(BeanPropertyWriter usual, Since since) {
            super(usual);
            this.since = since;
        }

        @Override
        public void serializeAsProperty(Object bean, JsonGenerator to, SerializationContext context) throws Exception {
            Reader reader = Reader.of(context);
            if (reader.reads(since)) {
                super.serializeAsProperty(bean, to, context);
                return;
            }
            @Nullable Object value = get(bean);
            if (!reader.leavesOut() && !Absence.is(getType().getRawClass(), value)) {
                throw reader.lacks("'" + getName() + "'", since);
            }
        }
    }

    /** A component of a kind of record that came later. */
    private static final class OfKind extends BeanPropertyWriter {
        private static final long serialVersionUID = 1;
        private final String kind;
        private final transient Since since;

        OfKind(BeanPropertyWriter usual, String kind, Since since) {
            super(usual);
            this.kind = kind;
            this.since = since;
        }

        @Override
        public void serializeAsProperty(Object bean, JsonGenerator to, SerializationContext context) throws Exception {
            Reader reader = Reader.of(context);
            if (!reader.reads(since)) {
                throw reader.lacks("the kind '" + kind + "'", since);
            }
            super.serializeAsProperty(bean, to, context);
        }
    }

    /** An enum of which some words came later. */
    private static final class Words extends ValueSerializer<Enum<?>> {
        private final Map<String, Since> marked;

        Words(Map<String, Since> marked) {
            this.marked = Ordered.copyOf(marked);
        }

        @Override
        public void serialize(Enum<?> word, JsonGenerator to, SerializationContext context) {
            Since since = marked.get(word.name());
            Reader reader = Reader.of(context);
            if (since != null && !reader.reads(since)) {
                throw reader.lacks("the word '" + word.name() + "'", since);
            }
            to.writeString(word.name());
        }
    }
}
