package io.cleat.codec;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.Version;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.DeserializationConfig;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JacksonModule;
import tools.jackson.databind.deser.ValueInstantiator;
import tools.jackson.databind.deser.ValueInstantiators;
import tools.jackson.databind.deser.std.StdValueInstantiator;
import tools.jackson.databind.introspect.AnnotatedConstructor;

/**
 * Makes records by calling their constructors. The library's own way builds a method handle for each value that it
 * makes, which was a third of reading a snapshot.
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
    }

    private static final class Constructors extends ValueInstantiators.Base {
        @Override
        public ValueInstantiator modifyValueInstantiator(
                DeserializationConfig config, BeanDescription.Supplier description, ValueInstantiator usual) {
            return usual instanceof StdValueInstantiator standard
                            && standard.getValueClass().isRecord()
                            && standard.getWithArgsCreator() instanceof AnnotatedConstructor creator
                    ? new ByConstructor(standard, creator.getAnnotated())
                    : usual;
        }
    }

    private static final class ByConstructor extends StdValueInstantiator {
        private static final Map<Class<?>, Object> EMPTY = Map.of(
                List.class, List.of(),
                Set.class, Set.of(),
                Map.class, Map.of());

        private final Constructor<?> constructor;

        ByConstructor(StdValueInstantiator usual, Constructor<?> constructor) {
            super(usual);
            this.constructor = constructor;
        }

        @Override
        public Object createFromObjectWith(DeserializationContext context, Object[] values) {
            emptyWhereAbsent(values);
            try {
                return constructor.newInstance(values);
            } catch (InvocationTargetException refused) {
                return context.handleInstantiationProblem(
                        getValueClass(), values, rewrapCtorProblem(context, refused.getCause()));
            } catch (ReflectiveOperationException | IllegalArgumentException unfit) {
                return context.handleInstantiationProblem(getValueClass(), values, rewrapCtorProblem(context, unfit));
            }
        }

        /** A collection that an older version did not have is empty, like an absent Optional. */
        private void emptyWhereAbsent(@Nullable Object[] values) {
            Class<?>[] types = constructor.getParameterTypes();
            for (int i = 0; i < values.length; i++) {
                if (values[i] == null) {
                    values[i] = EMPTY.get(types[i]);
                }
            }
        }
    }
}
