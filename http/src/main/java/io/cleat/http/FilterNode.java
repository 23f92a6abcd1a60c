package io.cleat.http;

import io.cleat.base.InputLimits;
import io.cleat.base.Meter;
import io.cleat.base.Refused;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.IntNode;
import tools.jackson.databind.node.StringNode;

/** A filter expression as a tree. A field that an object leaves out has its empty value. */
sealed interface FilterNode {
    boolean matches(Scope scope) throws Refused;

    /**
     * What names stand for.
     *
     * @param node the object, or what {@code name} is bound to
     * @param outer what other names stand for; null for the object itself
     */
    record Scope(JsonNode node, String name, @Nullable Scope outer) {
        static Scope of(JsonNode object) {
            return new Scope(object, "", null);
        }

        Scope with(String bound, JsonNode to) {
            return new Scope(to, bound, this);
        }

        /** What is at a path; missing where nothing is. */
        JsonNode at(List<String> path) {
            Scope scope = this;
            while (scope.outer != null && !scope.name.equals(path.getFirst())) {
                scope = scope.outer;
            }
            JsonNode found = scope.node;
            for (String part : scope.outer == null ? path : path.subList(1, path.size())) {
                found = found.isArray() ? element(found, part) : found.path(part);
            }
            return found;
        }

        private static JsonNode element(JsonNode list, String index) {
            return index.matches("\\d{1,9}") ? list.path(Integer.parseInt(index)) : list.path(list.size());
        }
    }

    /** Both. */
    record And(FilterNode left, FilterNode right) implements FilterNode {
        @Override
        public boolean matches(Scope scope) throws Refused {
            return left.matches(scope) && right.matches(scope);
        }
    }

    /** One of them, or both. */
    record Or(FilterNode left, FilterNode right) implements FilterNode {
        @Override
        public boolean matches(Scope scope) throws Refused {
            return left.matches(scope) || right.matches(scope);
        }
    }

    /** The opposite. */
    record Not(FilterNode inner) implements FilterNode {
        @Override
        public boolean matches(Scope scope) throws Refused {
            return !inner.matches(scope);
        }
    }

    /**
     * Some element of a list, or entry of a map, or each of them.
     *
     * @param every whether each has to match; else one is enough
     * @param names of an element, or of a map's key; of two, the first is index or key, the second what is there
     * @param terms comparisons of {@code inner}, which are made of each of them
     */
    record Each(boolean every, List<String> path, List<String> names, FilterNode inner, int terms, Meter meter)
            implements FilterNode {
        @Override
        public boolean matches(Scope scope) throws Refused {
            JsonNode found = scope.at(path);
            if (found.isArray()) {
                for (int i = 0; i < found.size(); i++) {
                    JsonNode index = IntNode.valueOf(i);
                    if (matches(scope, index, found.get(i), found.get(i)) != every) {
                        return !every;
                    }
                }
            } else {
                for (Map.Entry<String, JsonNode> entry : found.properties()) {
                    JsonNode key = StringNode.valueOf(entry.getKey());
                    if (matches(scope, key, entry.getValue(), key) != every) {
                        return !every;
                    }
                }
            }
            return every;
        }

        private boolean matches(Scope scope, JsonNode key, JsonNode value, JsonNode only) throws Refused {
            meter.step(terms);
            return inner.matches(
                    names.size() == 1
                            ? scope.with(names.getFirst(), only)
                            : scope.with(names.getFirst(), key).with(names.getLast(), value));
        }
    }

    /** What a field may be that an object leaves out. */
    Set<String> LEFT_OUT = Set.of("", "0", "false");

    /** What is asked of the value of a field; a missing one is {@link JsonNode#isMissingNode}. */
    @FunctionalInterface
    interface Check {
        boolean holds(JsonNode found) throws Refused;
    }

    /** Asks something of the field at {@code path}. */
    record Test(List<String> path, Check check) implements FilterNode {
        @Override
        public boolean matches(Scope scope) throws Refused {
            return check.holds(scope.at(path));
        }
    }

    static boolean isEqual(JsonNode found, String value) {
        if (found.isMissingNode()) {
            return LEFT_OUT.contains(value);
        }
        if (found.isNumber()) {
            if (value.length() > InputLimits.NUMBER_DIGITS) {
                return false;
            }
            try {
                return found.decimalValue().compareTo(new BigDecimal(value)) == 0;
            } catch (NumberFormatException notANumber) {
                return false;
            }
        }
        return found.isValueNode() && !found.isNull() && found.asString().equals(value);
    }

    /** A text contains a part, a list an element, an object a name. */
    static boolean contains(JsonNode found, String value, Meter meter) throws Refused {
        if (found.isString()) {
            meter.search(found.stringValue(), value);
            return found.stringValue().contains(value);
        }
        if (found.isArray()) {
            meter.step(found.size());
            for (JsonNode element : found) {
                if (isEqual(element, value)) {
                    return true;
                }
            }
            return false;
        }
        return found.has(value);
    }

    static boolean isNil(JsonNode found) {
        return found.isMissingNode() || found.isNull();
    }

    static boolean isEmpty(JsonNode found) {
        return isNil(found)
                || (found.isContainer() && found.isEmpty())
                || (found.isString() && found.stringValue().isEmpty());
    }
}
