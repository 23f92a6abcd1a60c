package io.cleat.agent.artifact;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;

/**
 * How many tasks of one node fetch at once. Each does so in a process of its own, which takes hundreds of megabytes at
 * most and a processor while it begins: with a large job, one for each of its tasks would hold up the node. One
 * allocation takes few of the places, so that sources that are slow for it leave the others theirs.
 *
 * <p>Any thread.
 */
public final class FetchSlots {
    /** Tasks of the node that fetch at once. */
    static final int PLACES = 32;

    /** Tasks of one allocation that do. */
    static final int OF_ONE = 2;

    private final Semaphore places = new Semaphore(PLACES);
    private final ConcurrentHashMap<String, Integer> taken = new ConcurrentHashMap<>();

    /** Whether a task of the allocation may fetch now; then it has to {@link #leave}. */
    public boolean enter(String allocId) {
        if (!places.tryAcquire()) {
            return false;
        }
        if (taken.merge(allocId, 1, Integer::sum) > OF_ONE) {
            leave(allocId);
            return false;
        }
        return true;
    }

    /** One of its tasks has ended fetching. */
    public void leave(String allocId) {
        taken.computeIfPresent(allocId, (id, count) -> count == 1 ? null : count - 1);
        places.release();
    }
}
