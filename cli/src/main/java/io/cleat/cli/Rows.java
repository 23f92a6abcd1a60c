package io.cleat.cli;

import java.util.ArrayList;
import java.util.List;

/** The properties of one object: {@code Key = value}, the signs below each other. */
final class Rows {
    private final List<List<String>> rows = new ArrayList<>();

    /** Adds a property. */
    Rows put(String key, String value) {
        rows.add(List.of(key, value));
        return this;
    }

    /** Adds a property whose value is a number or a truth value. */
    Rows put(String key, Object value) {
        return put(key, String.valueOf(value));
    }

    /** Adds a property when {@code value} is not empty. */
    Rows putUnlessEmpty(String key, String value) {
        return value.isEmpty() ? this : put(key, value);
    }

    /** The properties' lines. */
    String text() {
        return Columns.lay(rows, " = ");
    }
}
