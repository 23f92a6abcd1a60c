package io.cleat.state;

import java.time.Duration;

/**
 * Who alone may change a variable, and for how long without another word of his. The time itself is counted by whoever
 * leads, and never stored: a new leader counts it anew.
 *
 * @param id of the lock, which its holder shows with each change
 * @param ttl for how long it holds after it was taken or renewed
 * @param delay for how long nobody may take it or change the variable, once it was not renewed
 * @param lapsed whether it was not renewed in time, and is in its delay: nobody holds it
 */
public record VariableLock(String id, Duration ttl, Duration delay, boolean lapsed) {
    /** One that somebody has just taken. */
    public static VariableLock taken(String id, Duration ttl, Duration delay) {
        return new VariableLock(id, ttl, delay, false);
    }

    /** The same, not renewed in time. */
    public VariableLock lapse() {
        return new VariableLock(id, ttl, delay, true);
    }

    /** For how long it stays as it is unless its holder says something. */
    public Duration stays() {
        return lapsed ? delay : ttl;
    }
}
