package io.cleat.csi;

import io.cleat.base.BackOff;
import java.time.Duration;

/**
 * How calls are made. A try is repeated only when the plugin was unavailable or exhausted, or when the try's own time
 * was up.
 *
 * @param tryTimeout how long one try may take
 * @param tries how many tries at most, at least 1
 * @param backOff the waits between tries
 * @param mostAtOnce calls in flight per plugin; more wait, at most until their deadline. Identity calls are not
 *     counted, so that a plugin full of hanging calls can still be probed
 * @param mostReplyBytes the largest reply read
 * @param awaitsMounts whether a try that mounts or unmounts is waited for though its caller is interrupted, who keeps
 *     the interrupt; else it is given up at once, and may be done later than what is to undo it
 */
public record CallPolicy(
        Duration tryTimeout, int tries, BackOff backOff, int mostAtOnce, int mostReplyBytes, boolean awaitsMounts) {
    public CallPolicy {
        if (tryTimeout.isNegative() || tryTimeout.isZero()) {
            throw new IllegalArgumentException("try timeout " + tryTimeout + ", expected above 0");
        }
        if (tries < 1 || mostAtOnce < 1 || mostReplyBytes < 1) {
            throw new IllegalArgumentException("tries "
                    + tries
                    + ", at once "
                    + mostAtOnce
                    + ", reply "
                    + mostReplyBytes
                    + " bytes; expected at least 1 each");
        }
    }

    /** 2 minutes a try, 3 tries, waits from 100 ms to 10 s, 64 calls at once, 16 MiB a reply. */
    public static CallPolicy standard() {
        return new CallPolicy(
                Duration.ofMinutes(2),
                3,
                new BackOff(Duration.ofMillis(100), Duration.ofSeconds(10)),
                64,
                16 << 20,
                false);
    }

    public CallPolicy withTryTimeout(Duration timeout) {
        return new CallPolicy(timeout, tries, backOff, mostAtOnce, mostReplyBytes, awaitsMounts);
    }

    public CallPolicy withTries(int count) {
        return new CallPolicy(tryTimeout, count, backOff, mostAtOnce, mostReplyBytes, awaitsMounts);
    }

    public CallPolicy withBackOff(BackOff waits) {
        return new CallPolicy(tryTimeout, tries, waits, mostAtOnce, mostReplyBytes, awaitsMounts);
    }

    /** For who undoes what it gave up. */
    public CallPolicy awaitingMounts() {
        return new CallPolicy(tryTimeout, tries, backOff, mostAtOnce, mostReplyBytes, true);
    }

    public CallPolicy withMostAtOnce(int calls) {
        return new CallPolicy(tryTimeout, tries, backOff, calls, mostReplyBytes, awaitsMounts);
    }
}
