package io.cleat.base;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** By which somebody else ends a wait before its deadline. What is waited for is then answered as it is. Any thread. */
public final class EarlyEnd {
    /** Of waits that nobody ends early. */
    public static final EarlyEnd NEVER = new EarlyEnd();

    private final Set<Runnable> wakers = ConcurrentHashMap.newKeySet();
    private volatile boolean isEnded;

    /** Ends the waits that there are, and those that come; harmless if repeated. */
    public void end() {
        if (this == NEVER) {
            throw new IllegalStateException("these waits are never ended early");
        }
        isEnded = true;
        wakers.forEach(Runnable::run);
    }

    public boolean isEnded() {
        return isEnded;
    }

    /**
     * Adds one who waits, until {@link #forget}.
     *
     * @param waker is run once it ended, at once if it has; it may be run twice
     */
    public void wakes(Runnable waker) {
        if (this != NEVER) {
            wakers.add(waker);
            if (isEnded) {
                waker.run();
            }
        }
    }

    public void forget(Runnable waker) {
        wakers.remove(waker);
    }
}
