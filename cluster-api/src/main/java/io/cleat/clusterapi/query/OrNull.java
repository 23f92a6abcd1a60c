package io.cleat.clusterapi.query;

import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** A number that a query may leave out, as commands have it. */
public final class OrNull {
    private OrNull() {}

    public static @Nullable Long of(OptionalLong number) {
        return number.isPresent() ? number.getAsLong() : null;
    }
}
