package io.cleat.codec;

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
 * Writes records as older programs wrote them: what is marked {@link Since} a later level is left
 * out, and where a value has it, nothing is written.
 */
final class Levels extends ValueSerializerModifier {
    private static final long serialVersionUID = 1;

    /** A value has what the level that it is written at does not. */
    static final class Newer extends RuntimeException {
        private static final long serialVersionUID = 1;

        Newer(String what, int needed, int level) {
            super(
                    "this holds "
                            + what
                            + ", which needs feature level "
                            + needed
                            + ", and the cluster is at "
                            + level
                            + ": it is raised once every member runs a program that reads it");
        }
    }

    /** Writes at {@code level}; a plain writer writes everything. */
    static ObjectWriter at(int level, ObjectWriter writer) {
        return writer.withAttribute(Levels.class, level);
    }

    @Override
    public List<BeanPropertyWriter> changeProperties(
            SerializationConfig config,
            BeanDescription.Supplier description,
            List<BeanPropertyWriter> properties) {
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
                            ? new OfKind(property, type.getSimpleName(), kind.value())
                            : since != null ? new Later(property, since.value()) : property);
        }
        return marked;
    }

    @Override
    public ValueSerializer<?> modifyEnumSerializer(
            SerializationConfig config,
            JavaType type,
            BeanDescription.Supplier description,
            ValueSerializer<?> usual) {
        Map<String, Integer> marked = new HashMap<>();
        for (Field field : type.getRawClass().getFields()) {
            Since since = field.getAnnotation(Since.class);
            if (since != null && field.isEnumConstant()) {
                marked.put(field.getName(), since.value());
            }
        }
        return marked.isEmpty() ? usual : new Words(marked);
    }

    private static int level(SerializationContext context) {
        return context.getAttribute(Levels.class) instanceof Integer level
                ? level
                : Integer.MAX_VALUE;
    }

    /** A component that came later than its record. */
    private static final class Later extends BeanPropertyWriter {
        private static final long serialVersionUID = 1;
        private final int since;

        Later(BeanPropertyWriter usual, int since) {
            super(usual);
            this.since = since;
        }

        @Override
        public void serializeAsProperty(Object bean, JsonGenerator to, SerializationContext context)
                throws Exception {
            int level = level(context);
            if (level >= since) {
                super.serializeAsProperty(bean, to, context);
                return;
            }
            @Nullable Object value = get(bean);
            if (!Absence.is(getType().getRawClass(), value)) {
                throw new Newer("'" + getName() + "'", since, level);
            }
        }
    }

    /** A component of a kind of record that came later. */
    private static final class OfKind extends BeanPropertyWriter {
        private static final long serialVersionUID = 1;
        private final String kind;
        private final int since;

        OfKind(BeanPropertyWriter usual, String kind, int since) {
            super(usual);
            this.kind = kind;
            this.since = since;
        }

        @Override
        public void serializeAsProperty(Object bean, JsonGenerator to, SerializationContext context)
                throws Exception {
            int level = level(context);
            if (level < since) {
                throw new Newer("the kind '" + kind + "'", since, level);
            }
            super.serializeAsProperty(bean, to, context);
        }
    }

    /** An enum of which some words came later. */
    private static final class Words extends ValueSerializer<Enum<?>> {
        private final Map<String, Integer> marked;

        Words(Map<String, Integer> marked) {
            this.marked = Map.copyOf(marked);
        }

        @Override
        public void serialize(Enum<?> word, JsonGenerator to, SerializationContext context) {
            int since = marked.getOrDefault(word.name(), 1);
            int level = level(context);
            if (level < since) {
                throw new Newer("the word '" + word.name() + "'", since, level);
            }
            to.writeString(word.name());
        }
    }
}
