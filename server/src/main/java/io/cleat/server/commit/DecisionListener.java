package io.cleat.server.commit;

/**
 * Hears of every decision by itself, also where many share an entry; on the applying thread, after the image is
 * published. Must be quick.
 */
public interface DecisionListener<S, C> {
    void applied(AppliedDecision<S, C> decision);

    /** A snapshot replaced the image: what lies between is not told. */
    void installed(Applied<S> after);
}
