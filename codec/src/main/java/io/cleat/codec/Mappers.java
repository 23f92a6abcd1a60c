package io.cleat.codec;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.cleat.base.InvariantBroken;
import io.cleat.base.Secret;
import io.cleat.base.Secrets;
import java.lang.reflect.RecordComponent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.deser.jdk.UntypedObjectDeserializer;
import tools.jackson.databind.introspect.Annotated;
import tools.jackson.databind.introspect.AnnotatedClass;
import tools.jackson.databind.introspect.AnnotatedMember;
import tools.jackson.databind.introspect.AnnotatedMethod;
import tools.jackson.databind.introspect.JacksonAnnotationIntrospector;
import tools.jackson.databind.jsontype.NamedType;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.dataformat.cbor.CBORFactory;
import tools.jackson.dataformat.cbor.CBORMapper;

/** The two settings of Jackson that the formats use. */
final class Mappers {
    private static final ObjectMapper WITHOUT_SECRETS = mapper(new Refuse<>(), new Refuse<>(), true);

    /** What is sent may come from a newer program, which says more than is known here. */
    private static final ObjectMapper WITH_SECRETS = mapper(new WriteSecret(), new WriteSecrets(), false);

    private Mappers() {}

    static ObjectMapper withoutSecrets() {
        return WITHOUT_SECRETS;
    }

    static ObjectMapper withSecrets() {
        return WITH_SECRETS;
    }

    private static ObjectMapper mapper(
            ValueSerializer<Secret> secret, ValueSerializer<Secrets> secrets, boolean refusesUnknown) {
        SimpleModule module = new SimpleModule();
        module.addSerializer(Secret.class, secret);
        module.addSerializer(Secrets.class, secrets);
        module.addDeserializer(Secret.class, new ReadSecret());
        module.addDeserializer(Secrets.class, new ReadSecrets());
        module.addDeserializer(Instant.class, new ReadInstant());
        module.addDeserializer(Object.class, new ReadPlain());
        module.addSerializer(String.class, new WriteText());
        module.addKeySerializer(String.class, new WriteName());
        return CBORMapper.builder(CBORFactory.builder()
                        .streamReadConstraints(Limits.read())
                        .streamWriteConstraints(Limits.write())
                        .build())
                .addModule(module)
                .addModule(new RecordsModule())
                .annotationIntrospector(new SealedNames())
                // The same value is always the same bytes: images are compared by their digests.
                .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
                .enable(DeserializationFeature.USE_LONG_FOR_INTS)
                .configure(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES, refusesUnknown)
                .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
                .disable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
                .build();
    }

    /** Gives each record below a sealed interface its simple name as the tag {@code @}. */
    private static final class SealedNames extends JacksonAnnotationIntrospector {
        private static final long serialVersionUID = 1;

        @Override
        public JsonTypeInfo.@Nullable Value findPolymorphicTypeInfo(MapperConfig<?> config, Annotated annotated) {
            JsonTypeInfo.Value given = super.findPolymorphicTypeInfo(config, annotated);
            if (given == null && annotated instanceof AnnotatedClass type && isSealed(type.getRawType())) {
                return JsonTypeInfo.Value.construct(
                        JsonTypeInfo.Id.NAME, JsonTypeInfo.As.PROPERTY, "@", null, false, true, true);
            }
            return given;
        }

        @Override
        public @Nullable List<NamedType> findSubtypes(MapperConfig<?> config, Annotated annotated) {
            Class<?> type = annotated.getRawType();
            if (!type.isSealed()) {
                return super.findSubtypes(config, annotated);
            }
            List<NamedType> records = new ArrayList<>();
            collect(type, records);
            return records;
        }

        @Override
        public @Nullable String findTypeName(MapperConfig<?> config, AnnotatedClass type) {
            return isSealed(type.getRawType()) && type.getRawType().isRecord()
                    ? type.getRawType().getSimpleName()
                    : super.findTypeName(config, type);
        }

        /** Leaves out what a record derives, such as {@code isDone()}: only components are stored. */
        @Override
        public boolean hasIgnoreMarker(MapperConfig<?> config, AnnotatedMember member) {
            return super.hasIgnoreMarker(config, member)
                    || (member instanceof AnnotatedMethod method
                            && method.getParameterCount() == 0
                            && method.getDeclaringClass().isRecord()
                            && !isComponent(method));
        }

        private static boolean isComponent(AnnotatedMethod method) {
            for (RecordComponent component : method.getDeclaringClass().getRecordComponents()) {
                if (component.getName().equals(method.getName())) {
                    return true;
                }
            }
            return false;
        }

        private static boolean isSealed(Class<?> type) {
            if (type.isSealed()) {
                return true;
            }
            for (Class<?> parent : type.getInterfaces()) {
                if (type.isRecord() && parent.isSealed()) {
                    return true;
                }
            }
            return false;
        }

        private static void collect(Class<?> type, List<NamedType> records) {
            for (Class<?> permitted : type.getPermittedSubclasses()) {
                if (permitted.isSealed()) {
                    collect(permitted, records);
                } else {
                    records.add(new NamedType(permitted, permitted.getSimpleName()));
                }
            }
        }
    }

    private static final class Refuse<T> extends ValueSerializer<T> {
        @Override
        public void serialize(T value, JsonGenerator to, SerializationContext context) {
            throw new InvariantBroken("secrets are encrypted before they are stored", value);
        }
    }

    /** Writes what can be read back, and refuses the rest. */
    private static final class WriteText extends ValueSerializer<String> {
        @Override
        public void serialize(String value, JsonGenerator to, SerializationContext context) {
            Limits.checkText(value, to);
            to.writeString(value);
        }
    }

    private static final class WriteName extends ValueSerializer<String> {
        @Override
        public void serialize(String value, JsonGenerator to, SerializationContext context) {
            Limits.checkName(value, to);
            to.writeName(value);
        }
    }

    private static final class WriteSecret extends ValueSerializer<Secret> {
        @Override
        public void serialize(Secret value, JsonGenerator to, SerializationContext context) {
            Limits.checkText(value.reveal(), to);
            to.writeString(value.reveal());
        }
    }

    private static final class WriteSecrets extends ValueSerializer<Secrets> {
        @Override
        public void serialize(Secrets value, JsonGenerator to, SerializationContext context) {
            to.writePOJO(value.reveal());
        }
    }

    /**
     * Reads what has no type of its own, as the configuration of a driver: lists and maps of texts, numbers and truth
     * values, as JSON has them. Bytes, which CBOR has too, are equal to nothing but themselves, so a row that held them
     * would differ from itself.
     */
    private static final class ReadPlain extends UntypedObjectDeserializer {
        ReadPlain() {
            super((JavaType) null, null);
        }

        @Override
        public @Nullable Object deserialize(JsonParser from, DeserializationContext context) {
            return from.currentToken() == JsonToken.VALUE_EMBEDDED_OBJECT
                    ? context.reportInputMismatch(this, "bytes, where JSON has no place for them")
                    : super.deserialize(from, context);
        }
    }

    private static final class ReadSecret extends ValueDeserializer<Secret> {
        @Override
        public Secret deserialize(JsonParser from, DeserializationContext context) {
            return new Secret(from.getString());
        }
    }

    private static final class ReadSecrets extends ValueDeserializer<Secrets> {
        @Override
        public Secrets deserialize(JsonParser from, DeserializationContext context) {
            Map<String, String> plain = from.readValueAs(new TypeReference<Map<String, String>>() {});
            return Secrets.of(plain);
        }
    }
}
