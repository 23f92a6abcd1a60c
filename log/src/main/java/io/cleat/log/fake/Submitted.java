package io.cleat.log.fake;

import io.cleat.log.Completion;
import io.cleat.log.Outcome;
import org.jspecify.annotations.Nullable;

/** What was submitted to a {@link FakeLog}, and whom to tell. */
final class Submitted {
    final byte[] bytes;
    private @Nullable Completion completion;

    Submitted(byte[] bytes, Completion completion) {
        this.bytes = bytes;
        this.completion = completion;
    }

    /** Its completion the first time, and from then on one that does nothing. */
    Completion take() {
        Completion first = completion;
        completion = null;
        return first == null ? outcome -> {} : first;
    }

    /** What telling it comes to; nothing the second time. */
    Runnable telling(Outcome outcome) {
        Completion first = take();
        return () -> first.told(outcome);
    }
}
