package io.cleat.views;

import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** A number that a query may leave out, as commands have it. */
final class OrNull {
    private OrNull() {}

    static @Nullable Long of(OptionalLong number) {
        return number.isPresent() ? number.getAsLong() : null;
    }
}
