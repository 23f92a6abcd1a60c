package io.cleat.model;

import java.util.Optional;

/** An enum constant with the name that users and tools know it by. */
public interface WireNamed {
    /** The name in job files, in the HTTP API and in messages. */
    String wire();

    /** The constant of that name, if there is one. */
    static <E extends Enum<E> & WireNamed> Optional<E> find(Class<E> type, String wire) {
        for (E constant : type.getEnumConstants()) {
            if (constant.wire().equals(wire)) {
                return Optional.of(constant);
            }
        }
        return Optional.empty();
    }
}
