package io.cleat.server.commit;

import io.cleat.base.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The clock of decisions: wall time that never goes backwards, and does not follow a forward jump of more than ten
 * minutes until the clock has stood by it for ten minutes. Meanwhile it goes on at the pace of elapsed time. One wrong
 * reading then expires nothing that is alive; a suspended machine, or one whose clock was set, is believed a little
 * later. After a jump backwards it goes on at half its pace until wall time has caught up: what waits for a moment
 * still comes to it.
 *
 * <p>{@link #read} belongs to the deciding thread; the rest is for any.
 */
final class DecidedClock {
    private static final Logger LOG = LoggerFactory.getLogger(DecidedClock.class);
    private static final Duration JUMP = Duration.ofMinutes(10);

    private final Time time;
    private volatile Belief belief;

    /**
     * @param wall the last reading that was believed
     * @param at when that was, in elapsed nanoseconds
     * @param read what the clock said last
     * @param readAt when that was
     * @param heldSince since when a jump is not followed; null while none is
     * @param jump how far ahead the clock is then
     */
    private record Belief(
            Instant wall,
            long at,
            Instant read,
            long readAt,
            @Nullable Long heldSince,
            Duration jump) {}

    DecidedClock(Time time) {
        this.time = time;
        Instant wall = time.now();
        long nanos = time.nanos();
        this.belief = new Belief(wall, nanos, Instant.EPOCH, nanos, null, Duration.ZERO);
    }

    /** The time of a decision that follows one of {@code before}. */
    Instant read(Instant before) {
        Belief known = belief;
        Instant wall = time.now();
        long nanos = time.nanos();
        Instant now = look(before, known, wall, nanos);
        Duration ahead = Duration.between(expected(known, nanos), wall);
        if (isBelievable(known, ahead, nanos)) {
            if (known.heldSince() != null) {
                LOG.info("The clock is believed again: {}", wall);
            }
            belief = new Belief(wall, nanos, now, nanos, null, Duration.ZERO);
        } else if (known.heldSince() == null) {
            LOG.warn(
                    "The clock jumped ahead by {}: decisions go on with the time before, until the"
                            + " clock has stood by it for {} min",
                    ahead,
                    JUMP.toMinutes());
            belief = new Belief(known.wall(), known.at(), now, nanos, nanos, ahead);
        } else {
            belief = new Belief(known.wall(), known.at(), now, nanos, known.heldSince(), known.jump());
        }
        return now;
    }

    /** What {@link #read} would say now. Whoever compares with times of decisions asks this. */
    Instant peek(Instant before) {
        return look(before, belief, time.now(), time.nanos());
    }

    private static Instant look(Instant before, Belief known, Instant wall, long nanos) {
        Instant expected = expected(known, nanos);
        boolean isBelievable = isBelievable(known, Duration.between(expected, wall), nanos);
        Instant now = isBelievable ? wall : expected;
        if (now.isBefore(known.read())) {
            now = known.read().plusNanos((nanos - known.readAt()) / 2);
        }
        return now.isBefore(before) ? before : now;
    }

    private static Instant expected(Belief known, long nanos) {
        return known.wall().plusNanos(nanos - known.at());
    }

    private static boolean isBelievable(Belief known, Duration ahead, long nanos) {
        Long heldSince = known.heldSince();
        return ahead.compareTo(JUMP) <= 0 || (heldSince != null && nanos - heldSince >= JUMP.toNanos());
    }

    /** By how much the clock is ahead of what is believed; empty while it is believed. */
    Optional<Duration> heldBack() {
        Belief known = belief;
        return known.heldSince() == null ? Optional.empty() : Optional.of(known.jump());
    }
}
