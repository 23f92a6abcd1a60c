package io.cleat.demo;

import io.cleat.base.Deadline;
import io.cleat.base.Time;
import java.time.Duration;

/** Looks again and again, until a thing is as expected or the time is over. */
final class Polling {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Duration PAUSE = Duration.ofMillis(50);

    private final Narrator narrator;
    private final Guard guard;
    private final Time time;

    /** One look; fails as long as the thing is not there. */
    @FunctionalInterface
    interface Look<T> {
        T look() throws CheckFailed, InterruptedException;
    }

    /** What makes all waiting vain, such as the death of the agent. */
    @FunctionalInterface
    interface Guard {
        void check() throws CheckFailed;
    }

    Polling(Narrator narrator, Guard guard, Time time) {
        this.narrator = narrator;
        this.guard = guard;
        this.time = time;
    }

    /**
     * Waits, a minute at most.
     *
     * @param what what is waited for, such as {@code the plugin is healthy}
     * @throws CheckFailed with what the last look saw
     */
    <T> T until(String what, Look<T> look) throws CheckFailed, InterruptedException {
        Deadline deadline = Deadline.in(time, LIMIT);
        while (true) {
            guard.check();
            CheckFailed last;
            try {
                return look.look();
            } catch (CheckFailed notYet) {
                last = notYet;
            }
            if (deadline.isExpired()) {
                CheckFailed late =
                        new CheckFailed(what, last.expected() + ", within " + LIMIT.toSeconds() + " s", last.seen());
                late.initCause(last);
                throw late;
            }
            narrator.waiting(what, LIMIT.minus(deadline.left()), last.seen());
            time.sleep(PAUSE);
        }
    }

    void pause(Duration duration) throws InterruptedException {
        time.sleep(duration);
    }
}
