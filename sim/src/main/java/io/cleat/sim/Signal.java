package io.cleat.sim;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * What the fakes wait on. It has no lock, since only one thread runs at a time, and so nothing that a killed process
 * could keep.
 */
final class Signal {
    private final List<Thread> waiting = new ArrayList<>();

    /** Waits for {@link #all}, or less: to be called in a loop. */
    void await() throws InterruptedException {
        Thread own = Thread.currentThread();
        waiting.add(own);
        try {
            LockSupport.park();
        } finally {
            waiting.remove(own);
        }
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
    }

    void all() {
        List.copyOf(waiting).forEach(LockSupport::unpark);
    }
}
