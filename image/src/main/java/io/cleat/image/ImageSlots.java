package io.cleat.image;

import io.cleat.base.Time;
import io.cleat.driver.Starting;
import java.time.Duration;
import java.util.concurrent.Semaphore;

/**
 * How many tasks of one node get an image at once. Each does so in a process of its own, which may take half a
 * gigabyte: a large job would take the machine's memory. Any thread.
 */
final class ImageSlots {
    /** Tasks that do at once. */
    static final int PLACES = 8;

    private static final Duration PAUSE = Duration.ofMillis(200);

    private final Semaphore places = new Semaphore(PLACES);
    private final Time time;

    ImageSlots(Time time) {
        this.time = time;
    }

    /**
     * Waits for a place, which is then to be {@linkplain #leave left}.
     *
     * @return false if the task is not wanted any more: it has none
     */
    boolean enter(Starting starting) throws InterruptedException {
        boolean isTold = false;
        while (!places.tryAcquire()) {
            if (!starting.isWanted()) {
                return false;
            }
            if (!isTold) {
                isTold = true;
                starting.told("Waiting for the images of " + PLACES + " other tasks of this node");
            }
            time.sleep(PAUSE);
        }
        return true;
    }

    void leave() {
        places.release();
    }
}
