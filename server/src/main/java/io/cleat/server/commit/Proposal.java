package io.cleat.server.commit;

/**
 * A question to the decider. Pure, because it may be asked again when an entry was lost; quick,
 * because nothing else is decided meanwhile.
 *
 * @param <R> the reply
 */
@FunctionalInterface
public interface Proposal<S, C, R> {
    /**
     * @param newest the image after everything decided before, committed or not
     */
    Decision<C, R> decide(S newest, DecideContext context);

    /** What is asked, in a word, for messages. */
    default String kind() {
        return getClass().isHidden() ? "request" : getClass().getSimpleName();
    }
}
