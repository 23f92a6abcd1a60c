package io.cleat.bench;

import io.cleat.api.UnexpectedAnswer;
import io.cleat.base.LinkTrouble;
import java.io.IOException;
import java.time.Duration;

/** Waits for what is seen by looking often. */
final class Until {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private Until() {}

    /** Something that may be true; a refusal counts as not yet. */
    @FunctionalInterface
    interface Look {
        boolean isTrue() throws UnexpectedAnswer, LinkTrouble, IOException;
    }

    /** Looks every 2 ms. */
    static void soon(String what, Look look) throws InterruptedException {
        until(what, Duration.ofMillis(2), look);
    }

    static void until(String what, Duration pause, Look look) throws InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        String last = "";
        while (System.nanoTime() < end) {
            try {
                if (look.isTrue()) {
                    return;
                }
            } catch (UnexpectedAnswer | LinkTrouble | IOException notYet) {
                last = ": " + notYet;
            }
            Thread.sleep(pause);
        }
        throw new IllegalStateException("not within " + PATIENCE.toSeconds() + " s: " + what + last);
    }
}
