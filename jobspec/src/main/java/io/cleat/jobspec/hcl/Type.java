package io.cleat.jobspec.hcl;

import io.cleat.jobspec.hcl.Value.Fields;
import io.cleat.jobspec.hcl.Value.Items;
import io.cleat.jobspec.hcl.Value.Null;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What a variable may be, and how a given value becomes that. */
sealed interface Type {
    /** As it is written. */
    String text();

    /** The value as this type. Null stays null. */
    Value convert(Value value) throws Misuse;

    /** The value as this type; {@code where} names the element in the message, such as {@code [2]}. */
    private static Value inside(Type type, Value value, String where) throws Misuse {
        try {
            return value instanceof Null ? value : type.convert(value);
        } catch (Misuse e) {
            throw new Misuse(where + ": " + e.detail());
        }
    }

    /** Types without parts. */
    enum Plain implements Type {
        STRING,
        NUMBER,
        BOOL,
        ANY;

        @Override
        public String text() {
            return switch (this) {
                case STRING -> "string";
                case NUMBER -> "number";
                case BOOL -> "bool";
                case ANY -> "any";
            };
        }

        @Override
        public Value convert(Value value) throws Misuse {
            return switch (this) {
                case STRING -> Value.of(Convert.text(value));
                case NUMBER -> new Value.Num(Convert.number(value));
                case BOOL -> Value.of(Convert.bool(value));
                case ANY -> value;
            };
        }
    }

    /** {@code list(of)} or {@code set(of)}. */
    record Sequence(Type of, boolean set) implements Type {
        @Override
        public String text() {
            return (set ? "set(" : "list(") + of.text() + ")";
        }

        @Override
        public Value convert(Value value) throws Misuse {
            if (!(value instanceof Items given)) {
                throw Convert.expected(text(), value);
            }
            List<Value> items = new ArrayList<>();
            for (Value item : given.items()) {
                items.add(inside(of, item, "[" + items.size() + "]"));
            }
            return set ? new Items(sorted(items), true) : new Items(items);
        }

        /** Sets of texts and numbers are in their order, others as given; each element once. */
        private static List<Value> sorted(List<Value> items) {
            List<Value> once = new ArrayList<>(new LinkedHashSet<>(items));
            if (once.stream().allMatch(v -> v instanceof Value.Str)) {
                once.sort((a, b) -> ((Value.Str) a).value().compareTo(((Value.Str) b).value()));
            } else if (once.stream().allMatch(v -> v instanceof Value.Num)) {
                once.sort((a, b) -> ((Value.Num) a).value().compareTo(((Value.Num) b).value()));
            }
            return once;
        }
    }

    /** {@code map(of)}. */
    record MapOf(Type of) implements Type {
        @Override
        public String text() {
            return "map(" + of.text() + ")";
        }

        @Override
        public Value convert(Value value) throws Misuse {
            if (!(value instanceof Fields given)) {
                throw Convert.expected(text(), value);
            }
            Map<String, Value> fields = new TreeMap<>();
            for (Map.Entry<String, Value> field : given.fields().entrySet()) {
                String where = "[\"" + field.getKey() + "\"]";
                fields.put(field.getKey(), inside(of, field.getValue(), where));
            }
            return new Fields(fields);
        }
    }

    /** {@code tuple([of...])}. */
    record Tuple(List<Type> of) implements Type {
        @Override
        public String text() {
            return "tuple([" + String.join(", ", of.stream().map(Type::text).toList()) + "])";
        }

        @Override
        public Value convert(Value value) throws Misuse {
            if (!(value instanceof Items given)) {
                throw Convert.expected(text(), value);
            }
            if (given.items().size() != of.size()) {
                throw new Misuse("Expected " + of.size() + " elements, given "
                        + given.items().size() + ".");
            }
            List<Value> items = new ArrayList<>();
            for (Value item : given.items()) {
                int index = items.size();
                items.add(inside(of.get(index), item, "[" + index + "]"));
            }
            return new Items(items);
        }
    }

    /** An attribute of an object; {@code missing} is its value when it is not given. */
    record Attribute(Type type, boolean optional, Value missing) {}

    /** <code>object({name = of...})</code>. Attributes that are not named are dropped. */
    record ObjectOf(Map<String, Attribute> of) implements Type {
        @Override
        public String text() {
            return "object({"
                    + String.join(
                            ", ",
                            of.entrySet().stream()
                                    .map(e -> e.getKey() + " = "
                                            + e.getValue().type.text())
                                    .toList())
                    + "})";
        }

        @Override
        public Value convert(Value value) throws Misuse {
            if (!(value instanceof Fields given)) {
                throw Convert.expected(text(), value);
            }
            Map<String, Value> fields = new TreeMap<>();
            for (Map.Entry<String, Attribute> entry : of.entrySet()) {
                Attribute attribute = entry.getValue();
                Value field = given.fields().get(entry.getKey());
                if (field == null && !attribute.optional) {
                    throw new Misuse("The attribute \"" + entry.getKey() + "\" is missing; expected " + text() + ".");
                }
                boolean isNull = attribute.optional && field instanceof Null;
                Value present = field == null || isNull ? attribute.missing : field;
                fields.put(entry.getKey(), inside(attribute.type, present, "." + entry.getKey()));
            }
            return new Fields(fields);
        }
    }
}
