package io.cleat.jobspec.hcl;

import io.cleat.jobspec.hcl.Value.Bool;
import io.cleat.jobspec.hcl.Value.Fields;
import io.cleat.jobspec.hcl.Value.Items;
import io.cleat.jobspec.hcl.Value.Num;
import io.cleat.jobspec.hcl.Value.Str;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** Values as JSON and back. */
final class JsonText {
    private static final JsonFactory JSON = new JsonFactory();

    private JsonText() {}

    static String of(Value value) throws Misuse {
        BoundedText out = new BoundedText();
        write(value, out);
        return out.toString();
    }

    private static void write(Value value, BoundedText out) throws Misuse {
        switch (value) {
            case Value.Null _, Value.Broken _ -> out.add("null");
            case Bool(boolean bool) -> out.add(Boolean.toString(bool));
            case Num number -> out.add(number.text());
            case Str(String text) -> out.add(quoted(text));
            case Items items -> {
                String before = "[";
                for (Value item : items.items()) {
                    out.add(before);
                    write(item, out);
                    before = ",";
                }
                out.add(before.equals("[") ? "[]" : "]");
            }
            case Fields fields -> {
                String before = "{";
                for (Map.Entry<String, Value> field : fields.fields().entrySet()) {
                    out.add(before).add(quoted(field.getKey())).add(":");
                    write(field.getValue(), out);
                    before = ",";
                }
                out.add(before.equals("{") ? "{}" : "}");
            }
        }
    }

    /** A JSON string; what could end a script in a web page is escaped too, as Go does. */
    static String quoted(String text) {
        StringBuilder out = new StringBuilder(text.length() + 2).append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"' -> out.append("\\\"");
                case '\\' -> out.append("\\\\");
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                case '<', '>', '&', '\u2028', '\u2029' -> escape(c, out);
                default -> {
                    if (c < ' ') {
                        escape(c, out);
                    } else {
                        out.append(c);
                    }
                }
            }
        }
        return out.append('"').toString();
    }

    private static void escape(char c, StringBuilder out) {
        out.append("\\u").append(Integer.toHexString(0x10000 | c).substring(1));
    }

    static Value read(String text) throws Misuse {
        try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), text)) {
            Value value = new Reading(parser).value(parser.nextToken(), 1);
            if (parser.nextToken() != null) {
                throw new Misuse("There is more behind the JSON value.");
            }
            return value;
        } catch (JacksonException e) {
            throw new Misuse("The text is not JSON: " + JsonWords.of(e) + ".");
        }
    }

    /** One text that is read, its elements counted before they are made. */
    private static final class Reading {
        private final JsonParser parser;
        private int elements;

        Reading(JsonParser parser) {
            this.parser = parser;
        }

        Value value(@Nullable JsonToken token, int depth) throws Misuse {
            if (depth > Limits.DEPTH) {
                throw new Misuse("The JSON has more than " + Limits.DEPTH + " levels.");
            }
            if (++elements > Limits.PARTS) {
                throw new Misuse(
                        "The JSON has more than " + Limits.PARTS + " elements.", Limits.PARTS / Limits.TEXT_PER_STEP);
            }
            if (token == null) {
                throw new Misuse("The text is empty.");
            }
            return switch (token) {
                case START_ARRAY -> {
                    List<Value> items = new ArrayList<>();
                    for (JsonToken t = parser.nextToken(); t != JsonToken.END_ARRAY; t = parser.nextToken()) {
                        items.add(value(t, depth + 1));
                    }
                    yield new Items(items);
                }
                case START_OBJECT -> {
                    Map<String, Value> fields = new TreeMap<>();
                    while (parser.nextToken() != JsonToken.END_OBJECT) {
                        String name = parser.currentName();
                        fields.put(name, value(parser.nextToken(), depth + 1));
                    }
                    yield new Fields(fields);
                }
                case VALUE_STRING -> Value.of(parser.getString());
                case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT ->
                    new Num(Numbers.parse(parser.getString()).orElseThrow(() -> new Misuse("A number is too long.")));
                case VALUE_TRUE -> Value.of(true);
                case VALUE_FALSE -> Value.of(false);
                case VALUE_NULL -> new Value.Null();
                default -> throw new Misuse("Expected a JSON value, found " + token + ".");
            };
        }
    }
}
