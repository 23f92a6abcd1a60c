package io.cleat.base;

import java.util.concurrent.ThreadLocalRandom;

/** The port for chance: jitter and choices that need not be repeatable outside a simulation. */
@FunctionalInterface
public interface Chance {
    /** A number from 0 (included) to {@code bound} (not included); {@code bound} is positive. */
    long below(long bound);

    /** Chance from the machine's own generator. */
    static Chance system() {
        return bound -> ThreadLocalRandom.current().nextLong(bound);
    }
}
