package io.cleat.jobspec.hcl;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/** What an expression yields. Immutable; as deep and large as {@link Limits} lets it be. */
public sealed interface Value {
    /** What kind of value it is, in the words of messages. */
    String kind();

    /** How many elements it has, counted at all levels. */
    default long weight() {
        return 1;
    }

    /** How many levels it has. */
    default int depth() {
        return 1;
    }

    /** A part of it could not be computed; the fault is known. */
    default boolean isBroken() {
        return false;
    }

    static Value of(String text) {
        return new Str(text);
    }

    static Value of(long number) {
        return new Num(BigDecimal.valueOf(number));
    }

    static Value of(boolean bool) {
        return new Bool(bool);
    }

    /** No value. */
    record Null() implements Value {
        @Override
        public String kind() {
            return "null";
        }
    }

    /** What could not be computed; whoever made it has added the fault. */
    record Broken() implements Value {
        @Override
        public String kind() {
            return "broken";
        }

        @Override
        public boolean isBroken() {
            return true;
        }
    }

    /** True or false. */
    record Bool(boolean value) implements Value {
        @Override
        public String kind() {
            return "a bool";
        }
    }

    /** A number; 2 and 2.0 are the same one. */
    record Num(BigDecimal value) implements Value {
        public Num {
            value = value.stripTrailingZeros();
        }

        @Override
        public String kind() {
            return "a number";
        }

        @Override
        public long weight() {
            return 1L + value.precision() / Limits.TEXT_PER_STEP;
        }

        /** Plain digits, without an exponent. */
        public String text() {
            return value.toPlainString();
        }
    }

    /** Text. */
    record Str(String value) implements Value {
        @Override
        public String kind() {
            return "a string";
        }

        @Override
        public long weight() {
            return 1L + value.length() / Limits.TEXT_PER_STEP;
        }
    }

    /** A list, tuple or set. */
    final class Items implements Value {
        private final List<Value> items;
        private final boolean set;
        private final Measure measure;

        public Items(List<Value> items) {
            this(items, false);
        }

        Items(List<Value> items, boolean set) {
            this.items = Collections.unmodifiableList(new ArrayList<>(items));
            this.set = set;
            this.measure = Measure.of(items);
        }

        public List<Value> items() {
            return items;
        }

        boolean isSet() {
            return set;
        }

        @Override
        public String kind() {
            return set ? "a set" : "a list";
        }

        @Override
        public long weight() {
            return measure.weight;
        }

        @Override
        public int depth() {
            return measure.depth;
        }

        @Override
        public boolean isBroken() {
            return measure.broken;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Items list && set == list.set && items.equals(list.items);
        }

        @Override
        public int hashCode() {
            return items.hashCode();
        }

        @Override
        public String toString() {
            return items.toString();
        }
    }

    /** An object or map, in the order of its keys. */
    final class Fields implements Value {
        private final SortedMap<String, Value> fields;
        private final Measure measure;

        public Fields(Map<String, Value> fields) {
            this.fields = Collections.unmodifiableSortedMap(new TreeMap<>(fields));
            this.measure = Measure.of(fields.values());
        }

        public SortedMap<String, Value> fields() {
            return fields;
        }

        @Override
        public String kind() {
            return "an object";
        }

        @Override
        public long weight() {
            return measure.weight;
        }

        @Override
        public int depth() {
            return measure.depth;
        }

        @Override
        public boolean isBroken() {
            return measure.broken;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Fields map && fields.equals(map.fields);
        }

        @Override
        public int hashCode() {
            return Objects.hash(fields);
        }

        @Override
        public String toString() {
            return fields.toString();
        }
    }

    /** What is counted once, when a value is made. */
    record Measure(long weight, int depth, boolean broken) {
        static Measure of(Iterable<Value> parts) {
            long weight = 1;
            int depth = 0;
            boolean broken = false;
            for (Value part : parts) {
                // Saturates: shared parts count as often as they appear.
                weight = Math.min(Long.MAX_VALUE / 4, weight + part.weight());
                depth = Math.max(depth, part.depth());
                broken |= part.isBroken();
            }
            return new Measure(weight, depth + 1, broken);
        }
    }
}
