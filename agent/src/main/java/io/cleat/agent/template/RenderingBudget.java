package io.cleat.agent.template;

import io.cleat.base.Meter;
import io.cleat.base.Time;
import io.cleat.template.Template;
import java.time.Duration;
import java.util.concurrent.Semaphore;

/**
 * The heap and the processors that renderings of one node may use. Templates come from users and are rendered in the
 * agent, so each has a meter, and only a few are rendered at once: together they never take more than {@link #PLACES}
 * times {@link #LIMITS} and their output, whatever is written in them.
 */
public final class RenderingBudget {
    /** Renderings at once. */
    static final int PLACES = 2;

    /**
     * Of one rendering: some five seconds at the longest, and 24 MiB of texts, lists and maps. Beside them are its
     * output of 4 MiB while it grows, and the bytes of one file.
     */
    static final Meter.Limits LIMITS = new Meter.Limits(5_000_000, 12 << 20, Template.DEEPEST);

    /** How long one may wait for files. */
    static final Duration LONGEST = Duration.ofSeconds(30);

    /** What asking for one file costs in steps, at least. */
    static final long FILE = 5_000;

    private static final Duration PAUSE = Duration.ofMillis(20);

    private final Semaphore places = new Semaphore(PLACES);
    private final Time time;

    public RenderingBudget(Time time) {
        this.time = time;
    }

    /** Waits for a place, for as long as it takes: each rendering ends soon. {@link #leave} gives it back. */
    void enter() throws InterruptedException {
        // Waits by the port for time, so that a simulation can own this wait too.
        while (!places.tryAcquire()) {
            time.sleep(PAUSE);
        }
    }

    void leave() {
        places.release();
    }
}
