package io.cleat.api;

import io.cleat.base.Secrets;
import java.util.Map;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.deser.std.StdDeserializer;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.ser.std.StdSerializer;

/**
 * Secrets in a body: an object of names and values. A server puts none into an answer but the items of a variable, to
 * whoever asks for that one.
 */
final class WireSecrets {
    private static final TypeReference<Map<String, String>> TEXTS = new TypeReference<>() {};

    private WireSecrets() {}

    static void addTo(SimpleModule module) {
        module.addSerializer(new Writer());
        module.addDeserializer(Secrets.class, new Reader());
    }

    private static final class Writer extends StdSerializer<Secrets> {
        Writer() {
            super(Secrets.class);
        }

        @Override
        public void serialize(Secrets value, JsonGenerator out, SerializationContext context) {
            out.writePOJO(value.reveal());
        }
    }

    private static final class Reader extends StdDeserializer<Secrets> {
        Reader() {
            super(Secrets.class);
        }

        @Override
        public Secrets deserialize(JsonParser in, DeserializationContext context) {
            return Secrets.of(context.readValue(in, context.getTypeFactory().constructType(TEXTS)));
        }
    }
}
