package io.cleat.template;

import io.cleat.base.Meter;
import io.cleat.base.Refused;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A template, read once, rendered any number of times. Immutable; any thread.
 *
 * <p>It is the language of Go's {@code text/template}: actions, pipelines, variables, {@code if}, {@code with},
 * {@code range}, {@code break}, {@code continue}, {@code define}, {@code block}, {@code template}, trimming, comments,
 * and its functions but {@code call}. Numbers are compared by value, also a whole one with another.
 */
public final class Template {
    /** Levels of evaluation inside each other: blocks, parentheses, included templates. */
    public static final int DEEPEST = 300;

    private final Source source;
    private final Parser.Parsed parsed;
    private final Map<String, Function> functions;

    private Template(Source source, Parser.Parsed parsed, Map<String, Function> functions) {
        this.source = source;
        this.parsed = parsed;
        this.functions = functions;
    }

    /**
     * How it is rendered.
     *
     * @param missing what a key that a map does not have means
     * @param largest characters that it may give
     */
    public record Options(Missing missing, int largest) {
        /** A missing key is refused; at most 64 MiB. */
        public static final Options STRICT = new Options(Missing.REFUSED, 64 << 20);
    }

    /** What reading or rendering may cost that somebody does for himself, as on a command line. */
    private static final Meter.Limits OWN = new Meter.Limits(200_000_000, 512 << 20, DEEPEST);

    /**
     * What actions stand between.
     *
     * @param left not empty
     * @param right not empty, and not {@code left}
     */
    public record Delimiters(String left, String right) {
        public static final Delimiters BRACES = new Delimiters("{{", "}}");
    }

    /** What a key that a map does not have means. */
    public enum Missing {
        /** Nothing, which prints as {@code <no value>}. */
        NOTHING,
        /** A fault. */
        REFUSED
    }

    /**
     * Reads a template.
     *
     * @param name what its user calls it, for messages
     * @param functions by name, beside the built-in ones, which they win over
     * @throws Refused it cannot be read, with line and column
     */
    public static Template parse(String name, String text, Map<String, Function> functions) throws Refused {
        return parse(name, text, Delimiters.BRACES, functions);
    }

    /** As {@link #parse(String, String, Map)}, with other delimiters than braces. */
    public static Template parse(String name, String text, Delimiters delimiters, Map<String, Function> functions)
            throws Refused {
        return parse(name, text, delimiters, functions, new Meter(OWN));
    }

    /**
     * As {@link #parse(String, String, Map)}, of a text that others wrote.
     *
     * @throws Refused also if it costs more than the meter has left
     */
    public static Template parse(
            String name, String text, Delimiters delimiters, Map<String, Function> functions, Meter meter)
            throws Refused {
        Source source = new Source(name, text, delimiters);
        Set<String> known = new TreeSet<>(Builtins.NAMES);
        known.addAll(functions.keySet());
        return new Template(source, Parser.parse(source, known, meter), Map.copyOf(functions));
    }

    /**
     * What it gives of {@code data}.
     *
     * @param data {@code null}, a boolean, a number, a text, a list, or a map by text, of such
     * @throws Refused it asks something of the data that is not there, with line and column
     */
    public String render(@Nullable Object data, Options options) throws Refused {
        return render(data, options, new Meter(OWN));
    }

    /**
     * As {@link #render(Object, Options)}, of a text that others wrote: all that is done and made is counted before.
     *
     * @throws Refused also if it costs more than the meter has left
     */
    public String render(@Nullable Object data, Options options, Meter meter) throws Refused {
        Run run = new Run(source, parsed.named(), functions, options, data, meter);
        return run.render(parsed.nodes());
    }

    /** The names of the templates that it defines. */
    public List<String> names() {
        return parsed.named().keySet().stream().sorted().toList();
    }
}
