package io.cleat.base;

/**
 * Our own invariant does not hold. Nobody catches it on the way: it goes to the {@link FaultHandler} of the thread it
 * was thrown on.
 */
public final class InvariantBroken extends RuntimeException {
    private static final long serialVersionUID = 1;

    /**
     * @param invariant what must hold, as a sentence
     * @param facts what was found instead
     */
    public InvariantBroken(String invariant, Object facts) {
        super("broken invariant: " + invariant + "; found: " + facts);
    }
}
