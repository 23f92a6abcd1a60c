package io.cleat.log;

import java.util.concurrent.atomic.AtomicBoolean;

/** Lets a completion hear only the first thing it is told. Any thread. */
final class FirstOutcome implements Completion {
    private final Completion completion;
    private final AtomicBoolean told = new AtomicBoolean();

    FirstOutcome(Completion completion) {
        this.completion = completion;
    }

    @Override
    public void told(Outcome outcome) {
        if (told.compareAndSet(false, true)) {
            completion.told(outcome);
        }
    }
}
