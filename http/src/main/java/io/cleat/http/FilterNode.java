package io.cleat.http;

import io.cleat.base.InputLimits;
import io.cleat.base.Meter;
import io.cleat.base.Refused;
import java.math.BigDecimal;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** A filter expression as a tree. A field that an object does not have is equal to nothing. */
sealed interface FilterNode {
    boolean matches(JsonNode object) throws Refused;

    /** Both. */
    record And(FilterNode left, FilterNode right) implements FilterNode {
        @Override
        public boolean matches(JsonNode object) throws Refused {
            return left.matches(object) && right.matches(object);
        }
    }

    /** One of them, or both. */
    record Or(FilterNode left, FilterNode right) implements FilterNode {
        @Override
        public boolean matches(JsonNode object) throws Refused {
            return left.matches(object) || right.matches(object);
        }
    }

    /** The opposite. */
    record Not(FilterNode inner) implements FilterNode {
        @Override
        public boolean matches(JsonNode object) throws Refused {
            return !inner.matches(object);
        }
    }

    /** What is asked of the value of a field; a missing one is {@link JsonNode#isMissingNode}. */
    @FunctionalInterface
    interface Check {
        boolean holds(JsonNode found) throws Refused;
    }

    /** Asks something of the field at {@code path}. */
    record Test(List<String> path, Check check) implements FilterNode {
        @Override
        public boolean matches(JsonNode object) throws Refused {
            JsonNode found = object;
            for (String name : path) {
                found = found.isArray() ? element(found, name) : found.path(name);
            }
            return check.holds(found);
        }

        private static JsonNode element(JsonNode list, String index) {
            return index.matches("\\d{1,9}")
                    ? list.path(Integer.parseInt(index))
                    : list.path(list.size());
        }
    }

    static boolean isEqual(JsonNode found, String value) {
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

    static boolean isEmpty(JsonNode found) {
        return found.isMissingNode()
                || found.isNull()
                || (found.isContainer() && found.isEmpty())
                || (found.isString() && found.stringValue().isEmpty());
    }
}
