package io.cleat.jobspec;

import io.cleat.jobspec.hcl.Span;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** A document, whatever it was written in, with the place of each part. */
sealed interface Tree {
    Span at();

    JsonNode json();

    /** A text, a number, true, false, or null. */
    record Scalar(@Nullable Object value, Span at) implements Tree {
        @Override
        public JsonNode json() {
            JsonNodeFactory nodes = JsonNodeFactory.instance;
            return switch (value) {
                case null -> nodes.nullNode();
                case Boolean bool -> nodes.booleanNode(bool);
                case BigDecimal number when isLong(number) -> nodes.numberNode(number.longValueExact());
                case BigDecimal number -> nodes.numberNode(number);
                default -> nodes.stringNode(value.toString());
            };
        }

        private static boolean isLong(BigDecimal number) {
            return number.stripTrailingZeros().scale() <= 0
                    && number.abs().compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) <= 0;
        }
    }

    /** Several. */
    record Many(List<Tree> items, Span at) implements Tree {
        @Override
        public JsonNode json() {
            ArrayNode array = JsonNodeFactory.instance.arrayNode();
            items.forEach(item -> array.add(item.json()));
            return array;
        }
    }

    /** Fields by their names. */
    record Fields(Map<String, Field> fields, Span at) implements Tree {
        Fields(Span at) {
            this(new LinkedHashMap<>(), at);
        }

        void put(String name, Span nameAt, Tree value) {
            fields.put(name, new Field(nameAt, value));
        }

        @Nullable
        Tree get(String name) {
            Field field = fields.get(name);
            return field == null ? null : field.value;
        }

        /** The text of a field, or null when it is none. */
        @Nullable
        String text(String name) {
            return get(name) instanceof Scalar(Object value, var _) && value instanceof String text ? text : null;
        }

        @Override
        public JsonNode json() {
            ObjectNode object = JsonNodeFactory.instance.objectNode();
            fields.forEach((name, field) -> object.set(name, field.value.json()));
            return object;
        }
    }

    /** One field. */
    record Field(Span nameAt, Tree value) {}
}
