package io.cleat.api;

import java.util.function.Supplier;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.io.SerializedString;
import tools.jackson.core.json.UTF8JsonGenerator;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.ser.std.StdSerializer;

/**
 * A value whose compact JSON is known: where that is wanted it is copied, and not made again. Safe for any number of
 * threads.
 */
public final class Rendered {
    private final SerializedString json;

    private Rendered(SerializedString json) {
        this.json = json;
    }

    /** One that is made now. */
    public static Rendered of(Object value) {
        return new Rendered(new SerializedString(Json.text(value)));
    }

    /** About how many bytes of memory it takes: its text, and its UTF-8 once it was written. */
    public int size() {
        return 2 * json.charLength();
    }

    /**
     * This, to be written.
     *
     * @param value the same, for writing it in another way
     */
    public Object beside(Supplier<?> value) {
        return new Item(json, value);
    }

    static void addTo(SimpleModule module) {
        module.addSerializer(new Writer());
    }

    private record Item(SerializedString json, Supplier<?> value) {}

    private static final class Writer extends StdSerializer<Item> {
        Writer() {
            super(Item.class);
        }

        @Override
        public void serialize(Item item, JsonGenerator out, SerializationContext context) {
            if (out instanceof UTF8JsonGenerator && out.getPrettyPrinter() == null) {
                out.writeRawValue(item.json());
            } else {
                context.writeValue(out, item.value().get());
            }
        }
    }
}
