package io.cleat.log;

import io.cleat.base.Refusal;

/** What became of an append. */
public sealed interface Outcome {
    /**
     * It is committed, and {@link LogApplier#apply} has returned for it.
     *
     * @param index the entry's place in the log; indexes grow, with gaps
     */
    record Applied(long index) implements Outcome {}

    /** It was not appended and never will be. */
    record NotAppended(Refusal refusal) implements Outcome {}

    /** It may have been appended, may still be, or may be lost. */
    record Unknown(String reason) implements Outcome {}
}
