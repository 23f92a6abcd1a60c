package io.cleat.jobspec.hcl;

import io.cleat.jobspec.hcl.Value.Fields;
import io.cleat.jobspec.hcl.Value.Items;
import io.cleat.jobspec.hcl.Value.Str;
import java.math.BigDecimal;
import java.text.BreakIterator;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** {@code concat merge keys values lookup length range element contains coalesce}. */
final class CollectionFunctions {
    /** Below this, each character stands for itself, but for a line break of two. */
    private static final char FIRST_ACCENT = '\u0300';

    private CollectionFunctions() {}

    static void addTo(Functions all) {
        all.add("concat", "lists...", 1, Functions.ANY, CollectionFunctions::concat);
        all.add("merge", "objects...", 1, Functions.ANY, CollectionFunctions::merge);
        all.add("keys", "object", 1, 1, CollectionFunctions::keys);
        all.add(
                "values",
                "object",
                1,
                1,
                in -> new Items(List.copyOf(in.fields(0).values())));
        all.add("lookup", "object, key, default", 2, 3, CollectionFunctions::lookup);
        all.add("length", "list, object or text", 1, 1, CollectionFunctions::length);
        all.add("range", "start, limit, step", 1, 3, CollectionFunctions::range);
        all.add("element", "list, index", 2, 2, CollectionFunctions::element);
        all.add("contains", "list, value", 2, 2, in -> Value.of(in.items(0).contains(in.value(1))));
        all.add("coalesce", "values...", 1, Functions.ANY, CollectionFunctions::coalesce);
    }

    private static Value concat(Arguments in) throws Misuse {
        List<Value> all = new ArrayList<>();
        for (int i = 0; i < in.count(); i++) {
            all.addAll(in.items(i));
        }
        return new Items(all);
    }

    private static Value merge(Arguments in) throws Misuse {
        Map<String, Value> all = new TreeMap<>();
        for (int i = 0; i < in.count(); i++) {
            if (!(in.value(i) instanceof Value.Null)) {
                all.putAll(in.fields(i));
            }
        }
        return new Fields(all);
    }

    private static Value keys(Arguments in) throws Misuse {
        return new Items(in.fields(0).keySet().stream().map(Value::of).toList());
    }

    private static Value lookup(Arguments in) throws Misuse {
        String key = in.text(1);
        Value found = in.fields(0).get(key);
        if (found != null) {
            return found;
        }
        if (in.count() == 2) {
            throw new Misuse("The object has no \""
                    + key
                    + "\", and there is no default."
                    + Nearest.hint(key, in.fields(0).keySet()));
        }
        return in.value(2);
    }

    private static Value length(Arguments in) throws Misuse {
        return switch (in.value(0)) {
            case Items items -> Value.of(items.items().size());
            case Fields fields -> Value.of(fields.fields().size());
            case Str(String text) -> Value.of(characters(text));
            default -> throw Convert.expected("a list, an object or a string", in.value(0));
        };
    }

    /** Characters as a reader sees them: a letter with its accents is one. */
    private static int characters(String text) {
        if (text.chars().allMatch(c -> c < FIRST_ACCENT && c != '\r')) {
            return text.length();
        }
        BreakIterator characters = BreakIterator.getCharacterInstance(Locale.ROOT);
        characters.setText(text);
        int count = 0;
        while (characters.next() != BreakIterator.DONE) {
            count++;
        }
        return count;
    }

    private static Value range(Arguments in) throws Misuse {
        BigDecimal start = in.count() == 1 ? BigDecimal.ZERO : in.number(0);
        BigDecimal limit = in.number(in.count() == 1 ? 0 : 1);
        boolean down = limit.compareTo(start) < 0;
        BigDecimal step = in.count() == 3 ? in.number(2) : down ? BigDecimal.ONE.negate() : BigDecimal.ONE;
        boolean away = (step.signum() < 0) != down && limit.compareTo(start) != 0;
        if (step.signum() == 0 || away) {
            throw new Misuse("A step of "
                    + step.toPlainString()
                    + " never gets from "
                    + start.toPlainString()
                    + " to "
                    + limit.toPlainString()
                    + ".");
        }
        List<Value> numbers = new ArrayList<>();
        for (BigDecimal at = start; within(at, limit, down); at = at.add(step)) {
            if (numbers.size() == Limits.RANGE) {
                throw new Misuse("A range may have " + Limits.RANGE + " elements.");
            }
            numbers.add(Operators.number(at));
        }
        return new Items(numbers);
    }

    private static boolean within(BigDecimal at, BigDecimal limit, boolean down) {
        return down ? at.compareTo(limit) > 0 : at.compareTo(limit) < 0;
    }

    private static Value element(Arguments in) throws Misuse {
        List<Value> items = in.items(0);
        int index = in.integer(1);
        if (items.isEmpty()) {
            throw new Misuse("An empty list has no element.");
        }
        if (index < 0) {
            throw new Misuse("Argument 2: expected an index of 0 or more, given " + index + ".");
        }
        return items.get(index % items.size());
    }

    private static Value coalesce(Arguments in) throws Misuse {
        for (Value value : in.values()) {
            boolean empty = value instanceof Str(String text) && text.isEmpty();
            if (!empty && !(value instanceof Value.Null)) {
                return value;
            }
        }
        throw new Misuse("Each argument is null or empty.");
    }
}
