package io.cleat.jobspec;

import io.cleat.base.Durations;
import io.cleat.jobspec.hcl.Convert;
import io.cleat.jobspec.hcl.Misuse;
import io.cleat.jobspec.hcl.Nearest;
import io.cleat.jobspec.hcl.Span;
import io.cleat.jobspec.hcl.Value;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What an attribute may be, and what becomes of its value. */
@FunctionalInterface
interface Kind {
    Tree read(Value value, Span at) throws Misuse;

    /** Text; numbers and bools become text. */
    static Kind text() {
        return (value, at) -> new Tree.Scalar(Convert.text(value), at);
    }

    /** One of several words, or nothing. */
    static Kind oneOf(String... words) {
        return oneOf(List.of(words));
    }

    /** Likewise. */
    static Kind oneOf(List<String> known) {
        return (value, at) -> {
            String given = Convert.text(value);
            if (!given.isEmpty() && !known.contains(given)) {
                throw new Misuse("Expected one of "
                        + String.join(", ", known)
                        + "; given \""
                        + given
                        + "\"."
                        + Nearest.hint(given.toLowerCase(Locale.ROOT), known));
            }
            return new Tree.Scalar(given, at);
        };
    }

    /** A whole number of 32 bits. */
    static Kind integer() {
        return (value, at) -> new Tree.Scalar(BigDecimal.valueOf(Convert.integer(value)), at);
    }

    static Kind bool() {
        return (value, at) -> new Tree.Scalar(Convert.bool(value), at);
    }

    /** A duration, in nanoseconds. */
    static Kind duration() {
        return (value, at) -> {
            String given = Convert.text(value);
            long nanos = Durations.parse(given)
                    .orElseThrow(() -> new Misuse(
                            "Expected a duration such as \"30s\" or \"1h30m\", given " + shown(given) + "."));
            return new Tree.Scalar(BigDecimal.valueOf(nanos), at);
        };
    }

    /** A size, in bytes. */
    static Kind size() {
        return (value, at) -> {
            String given = Convert.text(value);
            long bytes = Sizes.parse(given)
                    .orElseThrow(() -> new Misuse(
                            "Expected a size such as \"10GiB\" or a number of bytes, given " + shown(given) + "."));
            return new Tree.Scalar(BigDecimal.valueOf(bytes), at);
        };
    }

    /** A list of texts. */
    static Kind texts() {
        return (value, at) -> {
            List<Tree> items = new ArrayList<>();
            for (Value item : Convert.items(value)) {
                items.add(new Tree.Scalar(Convert.text(item), at));
            }
            return new Tree.Many(items, at);
        };
    }

    /** Values of one kind by name; null stands for no such name. */
    static Kind map(Kind each) {
        return (value, at) -> {
            Tree.Fields fields = new Tree.Fields(at);
            for (Map.Entry<String, Value> field : Convert.fields(value).entrySet()) {
                if (!(field.getValue() instanceof Value.Null)) {
                    fields.put(field.getKey(), at, read(each, field, at));
                }
            }
            return fields;
        };
    }

    private static Tree read(Kind each, Map.Entry<String, Value> field, Span at) throws Misuse {
        try {
            return each.read(field.getValue(), at);
        } catch (Misuse e) {
            throw new Misuse("\"" + field.getKey() + "\": " + e.detail());
        }
    }

    /** Anything. */
    static Kind any() {
        return Kind::tree;
    }

    /** A value as it is; all of it stands at one place. */
    static Tree tree(Value value, Span at) {
        return switch (value) {
            case Value.Null _, Value.Broken _ -> new Tree.Scalar(null, at);
            case Value.Bool(boolean bool) -> new Tree.Scalar(bool, at);
            case Value.Num(BigDecimal number) -> new Tree.Scalar(number, at);
            case Value.Str(String text) -> new Tree.Scalar(text, at);
            case Value.Items items ->
                new Tree.Many(items.items().stream().map(v -> tree(v, at)).toList(), at);
            case Value.Fields fields -> {
                Tree.Fields all = new Tree.Fields(at);
                fields.fields().forEach((name, v) -> all.put(name, at, tree(v, at)));
                yield all;
            }
        };
    }

    private static String shown(String text) {
        return text.length() > 40 ? "another text" : "\"" + text + "\"";
    }
}
