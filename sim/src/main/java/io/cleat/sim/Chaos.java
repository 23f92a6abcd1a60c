package io.cleat.sim;

import io.cleat.base.Chance;
import io.cleat.base.Ids;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.UUID;

/** All chance of a run, and how much goes wrong in it. Owned by the scheduling thread. */
final class Chaos implements Chance, Ids {
    private final Random random;
    private boolean isCalm;

    Chaos(Random random) {
        this.random = random;
    }

    /** Nothing goes wrong from now on. */
    void calmDown() {
        isCalm = true;
    }

    boolean isCalm() {
        return isCalm;
    }

    @Override
    public long below(long bound) {
        return random.nextLong(bound);
    }

    @Override
    public String next() {
        return new UUID(random.nextLong(), random.nextLong()).toString();
    }

    int below(int bound) {
        return random.nextInt(bound);
    }

    /** Whether a misfortune of so many in a thousand happens; none does once it is calm. */
    boolean strikes(int perMille) {
        return !isCalm && random.nextInt(1000) < perMille;
    }

    /** A duration of at most so many milliseconds. */
    Duration upTo(int millis) {
        return Duration.ofNanos(random.nextLong(millis * 1_000_000L + 1));
    }

    /** Mostly short, sometimes long. */
    Duration latency(int usualMillis, int longMillis) {
        return upTo(strikes(30) ? longMillis : usualMillis);
    }

    <T> T pick(List<T> from) {
        return from.get(random.nextInt(from.size()));
    }
}
