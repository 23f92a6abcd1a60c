package io.cleat.driverkit;

import io.grpc.stub.ServerCallStreamObserver;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Answers that wait for a caller who reads slowly. One thread sends. */
final class PacedAnswers<R> {
    private final ServerCallStreamObserver<R> to;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    /** Made before the call's method returns. */
    PacedAnswers(ServerCallStreamObserver<R> to) {
        this.to = to;
        to.setOnReadyHandler(this::wake);
    }

    /** For whoever hears that the caller is gone. */
    void wake() {
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Sends one; returns once there is room for the next, or nobody reads any more. */
    void send(R answer) throws InterruptedException {
        to.onNext(answer);
        lock.lock();
        try {
            while (!to.isReady() && !to.isCancelled()) {
                changed.await();
            }
        } finally {
            lock.unlock();
        }
    }
}
