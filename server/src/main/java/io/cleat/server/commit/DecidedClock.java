package io.cleat.server.commit;

import io.cleat.base.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The clock of decisions: wall time that never goes backwards, and does not follow a forward jump
 * of more than ten minutes until the clock has stood by it for ten minutes. Meanwhile it goes on at
 * the pace of elapsed time. One wrong reading then expires nothing that is alive; a suspended
 * machine, or one whose clock was set, is believed a little later.
 *
 * <p>Owned by the deciding thread, except {@link #heldBack}.
 */
final class DecidedClock {
    private static final Logger LOG = LoggerFactory.getLogger(DecidedClock.class);
    private static final Duration JUMP = Duration.ofMinutes(10);

    private final Time time;
    private Instant believed;
    private long believedAt;
    private boolean isHolding;
    private long heldSince;
    private volatile @Nullable Duration jump;

    DecidedClock(Time time) {
        this.time = time;
        this.believed = time.now();
        this.believedAt = time.nanos();
    }

    /** The time of a decision that follows one of {@code before}. */
    Instant read(Instant before) {
        Instant now = time.now();
        long nanos = time.nanos();
        Instant expected = believed.plusNanos(nanos - believedAt);
        Duration ahead = Duration.between(expected, now);
        if (ahead.compareTo(JUMP) > 0 && !isBelievable(ahead, nanos)) {
            now = expected;
        } else {
            if (isHolding) {
                LOG.info("The clock is believed again: {}", now);
            }
            isHolding = false;
            jump = null;
            believed = now;
            believedAt = nanos;
        }
        return now.isAfter(before) ? now : before;
    }

    private boolean isBelievable(Duration ahead, long nanos) {
        if (!isHolding) {
            isHolding = true;
            heldSince = nanos;
            jump = ahead;
            LOG.warn(
                    "The clock jumped ahead by {}: decisions go on with the time before, until the"
                            + " clock has stood by it for {} min",
                    ahead,
                    JUMP.toMinutes());
        }
        return nanos - heldSince >= JUMP.toNanos();
    }

    /**
     * By how much the clock is ahead of what is believed; empty while it is believed. Any thread.
     */
    Optional<Duration> heldBack() {
        return Optional.ofNullable(jump);
    }
}
