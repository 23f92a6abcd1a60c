package io.cleat.base;

import java.time.Duration;

/** What a caller may do after an outside call failed. */
public sealed interface Retry {
    /** Repeating cannot help: the arguments, or the state they meet, must change first. */
    record Never() implements Retry {}

    /** The same call with the same arguments may succeed; back off as the caller's policy says. */
    record SameCall() implements Retry {}

    /** As {@link SameCall}, but not before {@code delay} has passed. */
    record After(Duration delay) implements Retry {}

    /** Look first whether the effect is there; only then decide. */
    record AfterObserving() implements Retry {}

    Retry NEVER = new Never();
    Retry SAME_CALL = new SameCall();
    Retry AFTER_OBSERVING = new AfterObserving();
}
