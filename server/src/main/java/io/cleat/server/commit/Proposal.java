package io.cleat.server.commit;

/**
 * A question to the decider. Pure, because it may be asked again when an entry was lost; quick, because nothing else is
 * decided meanwhile.
 *
 * @param <R> the reply
 */
@FunctionalInterface
public interface Proposal<S, C, R> {
    /** @param newest the image after everything decided before, committed or not */
    Decision<C, R> decide(S newest, DecideContext context);

    /**
     * Whether it brings something new, or notes what nothing depends on. While the log has little room left it is
     * refused, and all else is decided: what is ended or freed may make room.
     */
    default boolean bringsMore() {
        return false;
    }

    /** What is asked, in a word, for messages. */
    default String kind() {
        return getClass().isHidden() ? "request" : getClass().getSimpleName();
    }
}
