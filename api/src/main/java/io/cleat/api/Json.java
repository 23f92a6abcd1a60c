package io.cleat.api;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.Nulls;
import io.cleat.base.InputLimits;
import io.cleat.base.Refusal;
import io.cleat.base.Refused;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.type.TypeReference;
import tools.jackson.core.util.DefaultIndenter;
import tools.jackson.core.util.DefaultPrettyPrinter;
import tools.jackson.core.util.Separators;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.introspect.AnnotationIntrospectorPair;
import tools.jackson.databind.introspect.JacksonAnnotationIntrospector;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;

/**
 * The one way between records and JSON: names in the order of their characters, nulls written, names read whatever
 * their case, unknown names ignored. What is read is within {@link InputLimits}, and its texts follow
 * {@link io.cleat.base.TextRule}. Safe for any number of threads.
 */
public final class Json {
    private static final JsonMapper MAPPER = mapper();
    private static final ObjectWriter PRETTY = MAPPER.writer().with(printer());
    private static final ObjectWriter STREAMED = streamed(MAPPER.writer());
    private static final ObjectWriter PRETTY_STREAMED = streamed(PRETTY);

    private Json() {}

    /** {@code value} as compact UTF-8, without a line end. */
    public static byte[] write(@Nullable Object value) {
        return MAPPER.writeValueAsBytes(value);
    }

    /** {@code value} indented by four spaces, as UTF-8 with a line end. */
    public static byte[] writePretty(@Nullable Object value) {
        return (PRETTY.writeValueAsString(value) + "\n").getBytes(StandardCharsets.UTF_8);
    }

    /** {@code value} as compact text. */
    public static String text(@Nullable Object value) {
        return MAPPER.writeValueAsString(value);
    }

    /**
     * Writes {@code value} as {@link #write(Object)} does to {@code out}, which is neither flushed nor closed; what is
     * made as it is read, such as {@link Rows}, is written as it is read.
     *
     * @throws IOException of {@code out}
     */
    public static void write(OutputStream out, @Nullable Object value) throws IOException {
        write(STREAMED, out, value);
    }

    /** As {@link #write(OutputStream, Object)}, as {@link #writePretty(Object)} does. */
    public static void writePretty(OutputStream out, @Nullable Object value) throws IOException {
        write(PRETTY_STREAMED, out, value);
        out.write('\n');
    }

    private static void write(ObjectWriter writer, OutputStream out, @Nullable Object value) throws IOException {
        WatchedOutput watched = new WatchedOutput(out);
        try {
            writer.writeValue(watched, value);
        } catch (JacksonException failed) {
            watched.rethrow();
            throw failed;
        }
    }

    /**
     * Reads a body.
     *
     * @throws Refused {@link Refusal.Malformed} with the place and what was expected
     */
    public static <T> T read(byte[] body, Class<T> type) throws Refused {
        return read(body, MAPPER.constructType(type), Integer.MAX_VALUE);
    }

    /**
     * As {@link #read(byte[], Class)}, for what a client sent: it has at most {@link InputLimits#SENT_PARTS} lists and
     * objects, which is found out before the first is made.
     */
    public static <T> T readSent(byte[] body, Class<T> type) throws Refused {
        return read(body, MAPPER.constructType(type), InputLimits.SENT_PARTS);
    }

    /** As {@link #read(byte[], Class)}, for lists and maps. */
    public static <T> T read(byte[] body, TypeReference<T> type) throws Refused {
        return read(body, MAPPER.constructType(type), Integer.MAX_VALUE);
    }

    /** As {@link #read(byte[], Class)}, for text. */
    public static <T> T read(String body, Class<T> type) throws Refused {
        return read(body.getBytes(StandardCharsets.UTF_8), type);
    }

    /** Reads a body of any shape. */
    public static JsonNode tree(byte[] body) throws Refused {
        return read(body, JsonNode.class);
    }

    /** {@code value} as a tree, for looking into it without knowing its type. */
    public static JsonNode toTree(Object value) {
        return MAPPER.valueToTree(value);
    }

    /**
     * A tree as a record.
     *
     * @throws Refused {@link Refusal.Malformed} with the place and what was expected
     */
    public static <T> T fromTree(JsonNode tree, Class<T> type) throws Refused {
        try {
            return MAPPER.treeToValue(tree, type);
        } catch (JacksonException unreadable) {
            throw refused(unreadable);
        }
    }

    /** Objects that follow each other without anything between them, as a log stream has them. */
    public static <T> JsonSequence<T> sequence(InputStream in, Class<T> type) {
        // As text: of bytes, Jackson awaits four before it looks at the first.
        Reader text = new InputStreamReader(in, StandardCharsets.UTF_8);
        return new JsonSequence<>(MAPPER.readerFor(type).readValues(text));
    }

    // The callers of this one method say the type by its token.
    @SuppressWarnings("TypeParameterUnusedInFormals")
    private static <T> T read(byte[] body, JavaType type, int most) throws Refused {
        T value;
        try {
            if (!JsonTexts.areSurelyRight(body, most)) {
                try (JsonParser tokens = MAPPER.createParser(body)) {
                    JsonTexts.check(tokens, most);
                }
            }
            value = MAPPER.readValue(body, type);
        } catch (JacksonException unreadable) {
            throw refused(unreadable);
        }
        if (value == null) {
            throw new Refused(new Refusal.Malformed("the JSON is null; expected an object"));
        }
        return value;
    }

    static Refused refused(JacksonException unreadable) {
        return new Refused(new Refusal.Malformed(JsonFault.text(unreadable)));
    }

    private static JsonMapper mapper() {
        SimpleModule module = new SimpleModule("cleat");
        WireTime.addTo(module);
        WireSecrets.addTo(module);
        Rendered.addTo(module);
        return JsonMapper.builder(factory())
                .annotationIntrospector(
                        new AnnotationIntrospectorPair(new WireNulls(), new JacksonAnnotationIntrospector()))
                // What is asked of a record, as isOver(), is no key of its JSON.
                .changeDefaultVisibility(seen -> seen.withIsGetterVisibility(JsonAutoDetect.Visibility.NONE))
                .changeDefaultNullHandling(nulls -> nulls.withContentNulls(Nulls.FAIL))
                .enable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
                .disable(MapperFeature.SORT_CREATOR_PROPERTIES_FIRST)
                .enable(MapperFeature.ACCEPT_CASE_INSENSITIVE_PROPERTIES)
                .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
                .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
                .addModule(module)
                .build();
    }

    private static JsonFactory factory() {
        return JsonFactory.builder()
                .streamReadConstraints(StreamReadConstraints.builder()
                        .maxNestingDepth(InputLimits.DEPTH)
                        .maxStringLength(InputLimits.TEXT_CHARS)
                        .maxNameLength(InputLimits.NAME_CHARS)
                        .maxNumberLength(InputLimits.NUMBER_DIGITS)
                        .build())
                .build();
    }

    private static ObjectWriter streamed(ObjectWriter writer) {
        return writer.without(SerializationFeature.FLUSH_AFTER_WRITE_VALUE)
                .without(StreamWriteFeature.AUTO_CLOSE_TARGET)
                .without(StreamWriteFeature.FLUSH_PASSED_TO_STREAM);
    }

    private static DefaultPrettyPrinter printer() {
        DefaultIndenter indenter = new DefaultIndenter("    ", "\n");
        Separators separators = Separators.createDefaultInstance()
                .withObjectNameValueSpacing(Separators.Spacing.AFTER)
                .withObjectEmptySeparator("")
                .withArrayEmptySeparator("");
        return new DefaultPrettyPrinter(separators).withObjectIndenter(indenter).withArrayIndenter(indenter);
    }
}
