package io.cleat.base;

import java.util.UUID;

/** The port for new ids. */
@FunctionalInterface
public interface Ids {
    /** A new id, in the 36 characters of a UUID. */
    String next();

    /** Random UUIDs. */
    static Ids random() {
        return () -> UUID.randomUUID().toString();
    }
}
