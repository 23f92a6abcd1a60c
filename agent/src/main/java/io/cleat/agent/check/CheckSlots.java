package io.cleat.agent.check;

import io.cleat.base.Time;
import java.time.Duration;
import java.util.concurrent.Semaphore;

/** How many checks of one node are made at once; others wait for their turn. Any thread. */
public final class CheckSlots {
    static final int PLACES = 32;

    private static final Duration PAUSE = Duration.ofMillis(20);

    private final Semaphore places = new Semaphore(PLACES);
    private final Time time;

    public CheckSlots(Time time) {
        this.time = time;
    }

    /** Waits for a place: each call ends by its timeout. {@link #leave} gives it back. */
    public void enter() throws InterruptedException {
        // Waits by the port for time, so that a simulation can own this wait too.
        while (!places.tryAcquire()) {
            time.sleep(PAUSE);
        }
    }

    public void leave() {
        places.release();
    }
}
