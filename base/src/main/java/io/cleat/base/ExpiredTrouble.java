package io.cleat.base;

/** A deadline passed while waiting; what was waited for may still happen. */
public final class ExpiredTrouble extends Trouble {
    private static final long serialVersionUID = 1;

    /** @param waitedFor completes the sentence "gave up waiting for ..." */
    public ExpiredTrouble(String waitedFor) {
        super("gave up waiting for " + waitedFor, Effect.UNKNOWN, Retry.AFTER_OBSERVING, null);
    }
}
