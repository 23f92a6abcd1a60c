package io.cleat.server.decide;

import java.nio.charset.StandardCharsets;
import java.util.UUID;

/**
 * Ids for new rows, all derived from one fresh id, so that a command stays a value and deciding it again gives the same
 * ids.
 */
final class NewIds {
    private final String seed;
    private int count;

    /** @param seed a fresh id of 36 characters; it is the first one given out */
    NewIds(String seed) {
        this.seed = seed;
    }

    String next() {
        int number = count++;
        return number == 0
                ? seed
                : UUID.nameUUIDFromBytes((seed + "/" + number).getBytes(StandardCharsets.UTF_8))
                        .toString();
    }
}
