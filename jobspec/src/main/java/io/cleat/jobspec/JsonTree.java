package io.cleat.jobspec;

import io.cleat.jobspec.hcl.Faults;
import io.cleat.jobspec.hcl.JsonWords;
import io.cleat.jobspec.hcl.Numbers;
import io.cleat.jobspec.hcl.Source;
import io.cleat.jobspec.hcl.Span;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.json.JsonFactory;

/** Reads JSON with the place of each value. One for each text; not thread-safe. */
final class JsonTree {
    private static final JsonFactory JSON = new JsonFactory();
    private static final int DEEPEST = 100;
    private static final int LONGEST = 1 << 20;

    private final Source source;
    private final Faults faults;
    private final JsonParser parser;
    private int secretAt = -1;

    private JsonTree(Source source, Faults faults, JsonParser parser) {
        this.source = source;
        this.faults = faults;
        this.parser = parser;
    }

    /** Whether a text is JSON and not HCL, which never begins with a brace. */
    static boolean isJson(Source source) {
        return source.text().stripLeading().startsWith("{");
    }

    /** The document, or null with a fault when it cannot be read. */
    static @Nullable Tree read(Source source, Faults faults) {
        if (source.text().length() > LONGEST) {
            faults.add(source.span(0, 0), "File too long", "At most " + LONGEST + " characters are read.");
            return null;
        }
        try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), source.text())) {
            JsonTree reader = new JsonTree(source, faults, parser);
            try {
                Tree tree = reader.value(parser.nextToken(), 1);
                if (parser.nextToken() != null) {
                    faults.add(reader.token(), "Invalid JSON", "Expected nothing more behind the object.");
                }
                return tree;
            } catch (JacksonException e) {
                reader.unreadable(e);
                return null;
            }
        }
    }

    private void unreadable(JacksonException e) {
        TokenStreamLocation location = e.getLocation();
        int length = source.text().length();
        long offset = location == null ? 0 : location.getCharOffset();
        int at = (int) Math.max(0, Math.min(offset, length));
        String said = JsonWords.of(e);
        if (secretAt >= 0) {
            source.hide(secretAt, length);
            said = "The text cannot be read here";
        }
        faults.add(source.span(at, Math.min(at + 1, length)), "Invalid JSON", said + ".");
    }

    private Span token() {
        int start = (int) parser.currentTokenLocation().getCharOffset();
        return source.span(start, Math.max(start, end()));
    }

    /** A name in its quotes; the parser is already behind the colon. */
    private Span nameAt() {
        int start = token().start();
        int end = start + 1;
        while (end < source.text().length() && source.text().charAt(end) != '"') {
            end += source.text().charAt(end) == '\\' ? 2 : 1;
        }
        return source.span(start, Math.min(end + 1, source.text().length()));
    }

    private int end() {
        return (int) parser.currentLocation().getCharOffset();
    }

    private Tree value(@Nullable JsonToken token, int depth) {
        Span at = token();
        if (depth > DEEPEST) {
            faults.add(at, "Nested too deep", "JSON may be nested " + DEEPEST + " levels deep.");
            parser.skipChildren();
            return new Tree.Scalar(null, at);
        }
        return switch (token) {
            case START_OBJECT -> object(at.start(), depth);
            case START_ARRAY -> {
                List<Tree> items = new ArrayList<>();
                for (JsonToken t = parser.nextToken(); t != JsonToken.END_ARRAY; t = parser.nextToken()) {
                    items.add(value(t, depth + 1));
                }
                yield new Tree.Many(items, source.span(at.start(), end()));
            }
            case VALUE_STRING -> {
                String text = parser.getString();
                yield new Tree.Scalar(text, source.span(at.start(), end()));
            }
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> number(at);
            case VALUE_TRUE -> new Tree.Scalar(true, at);
            case VALUE_FALSE -> new Tree.Scalar(false, at);
            case null, default -> new Tree.Scalar(null, at);
        };
    }

    private Tree number(Span at) {
        Optional<BigDecimal> number = Numbers.parse(parser.getString());
        if (number.isEmpty()) {
            faults.add(at, "Number too long", "A number may have " + Numbers.DIGITS + " digits.");
            return new Tree.Scalar(null, at);
        }
        return new Tree.Scalar(number.get(), source.span(at.start(), end()));
    }

    private Tree object(int start, int depth) {
        Tree.Fields fields = new Tree.Fields(source.span(start, start + 1));
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            Span nameAt = nameAt();
            boolean secret = name.equalsIgnoreCase("secrets") && secretAt < 0;
            if (secret) {
                secretAt = nameAt.start();
            }
            Tree value = value(parser.nextToken(), depth + 1);
            if (secret) {
                source.hide(secretAt, end());
                secretAt = -1;
            }
            Tree.Field earlier = fields.fields().get(name);
            if (earlier != null) {
                faults.add(
                        nameAt,
                        "Duplicate key",
                        "\"%s\" was already given at %s."
                                .formatted(name, earlier.nameAt().place()));
            }
            fields.put(name, nameAt, value);
        }
        return fields;
    }
}
