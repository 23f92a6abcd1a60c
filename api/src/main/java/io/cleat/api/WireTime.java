package io.cleat.api;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.deser.std.StdDeserializer;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.ser.std.StdSerializer;

/**
 * Moments on the wire: RFC 3339 with as many fractional digits as needed. The first moment of the year 1, which clients
 * send for "never", is null here.
 */
final class WireTime {
    /** The last moment that RFC 3339 can say; what counts in milliseconds can count this far. */
    private static final Instant LAST = Instant.parse("9999-12-31T23:59:59.999999999Z");

    private static final Instant NEVER = Instant.parse("0001-01-01T00:00:00Z");

    private WireTime() {}

    static void addTo(SimpleModule module) {
        module.addSerializer(new Writer());
        module.addDeserializer(Instant.class, new Reader());
    }

    static @Nullable Instant parse(String text) {
        Instant instant = OffsetDateTime.parse(text).toInstant();
        return instant.equals(NEVER) ? null : instant;
    }

    static String format(Instant instant) {
        String whole = Instant.ofEpochSecond(instant.getEpochSecond()).toString();
        if (instant.getNano() == 0) {
            return whole;
        }
        // The one before them keeps their zeros.
        String digits = Integer.toString(1_000_000_000 + instant.getNano());
        int end = digits.length();
        while (digits.charAt(end - 1) == '0') {
            end--;
        }
        return whole.substring(0, whole.length() - 1) + "." + digits.substring(1, end) + "Z";
    }

    private static final class Writer extends StdSerializer<Instant> {
        Writer() {
            super(Instant.class);
        }

        @Override
        public void serialize(Instant value, JsonGenerator out, SerializationContext context) {
            out.writeString(format(value));
        }
    }

    private static final class Reader extends StdDeserializer<Instant> {
        Reader() {
            super(Instant.class);
        }

        @Override
        public @Nullable Instant deserialize(JsonParser in, DeserializationContext context) {
            if (!in.hasToken(JsonToken.VALUE_STRING)) {
                return (Instant) context.handleUnexpectedToken(Instant.class, in);
            }
            String text = in.getString();
            if (text.isEmpty()) {
                return null;
            }
            try {
                Instant instant = parse(text);
                if (instant == null || !instant.isAfter(LAST)) {
                    return instant;
                }
                return (Instant)
                        context.handleWeirdStringValue(Instant.class, text, "a time is not after the year 9999");
            } catch (DateTimeException unreadable) {
                return (Instant)
                        context.handleWeirdStringValue(Instant.class, text, "a time looks like 2026-01-02T03:04:05Z");
            }
        }
    }
}
