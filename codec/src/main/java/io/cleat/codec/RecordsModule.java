package io.cleat.codec;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.Version;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.DeserializationConfig;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JacksonModule;
import tools.jackson.databind.SerializationConfig;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.deser.ValueDeserializerModifier;
import tools.jackson.databind.deser.ValueInstantiator;
import tools.jackson.databind.deser.ValueInstantiators;
import tools.jackson.databind.deser.std.StdValueInstantiator;
import tools.jackson.databind.introspect.AnnotatedConstructor;
import tools.jackson.databind.ser.ValueSerializerModifier;

/**
 * Makes records by calling their constructors, and takes {@link io.cleat.base.Flattened} groups for parts of their
 * owner. The library's own way builds a method handle for each value that it makes, which was a third of reading a
 * snapshot.
 */
final class RecordsModule extends JacksonModule {
    @Override
    public String getModuleName() {
        return RecordsModule.class.getName();
    }

    @Override
    public Version version() {
        return Version.unknownVersion();
    }

    @Override
    public void setupModule(SetupContext context) {
        context.addValueInstantiators(new Constructors());
        context.addSerializerModifier(new Levels());
        context.addSerializerModifier(new FlattenedWriters());
        context.addDeserializerModifier(new FlattenedReaders());
    }

    private static final class FlattenedWriters extends ValueSerializerModifier {
        private static final long serialVersionUID = 1;

        @Override
        public ValueSerializer<?> modifySerializer(
                SerializationConfig config, BeanDescription.Supplier description, ValueSerializer<?> usual) {
            Class<?> type = description.getBeanClass();
            return StoredComponent.hasGroups(type) ? new FlattenedWriter(type, usual) : usual;
        }
    }

    private static final class FlattenedReaders extends ValueDeserializerModifier {
        private static final long serialVersionUID = 1;

        @Override
        public ValueDeserializer<?> modifyDeserializer(
                DeserializationConfig config, BeanDescription.Supplier description, ValueDeserializer<?> usual) {
            Class<?> type = description.getBeanClass();
            return StoredComponent.hasGroups(type) ? new FlattenedReader(type) : usual;
        }
    }

    private static final class Constructors extends ValueInstantiators.Base {
        @Override
        public ValueInstantiator modifyValueInstantiator(
                DeserializationConfig config, BeanDescription.Supplier description, ValueInstantiator usual) {
            return usual instanceof StdValueInstantiator standard
                            && standard.getValueClass().isRecord()
                            && standard.getWithArgsCreator() instanceof AnnotatedConstructor creator
                    ? new ByConstructor(standard, new RecordConstructor(creator.getAnnotated()))
                    : usual;
        }
    }

    private static final class ByConstructor extends StdValueInstantiator {
        private final RecordConstructor constructor;

        ByConstructor(StdValueInstantiator usual, RecordConstructor constructor) {
            super(usual);
            this.constructor = constructor;
        }

        @Override
        public @Nullable Object createFromObjectWith(DeserializationContext context, Object[] values) {
            return constructor.make(values, context);
        }
    }
}
