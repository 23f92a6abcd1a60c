package io.cleat.server.commit;

import io.cleat.base.Refusal;

/** What a caller is told of its proposal. */
public sealed interface Answer<R> {
    /** @param version number of the decision if it changed something, else of the newest decision it was decided on */
    record Accepted<R>(R reply, long version) implements Answer<R> {}

    /**
     * Nothing was changed.
     *
     * @param version number of the newest decision it was decided on
     */
    record Rejected<R>(Refusal refusal, long version) implements Answer<R> {}
}
