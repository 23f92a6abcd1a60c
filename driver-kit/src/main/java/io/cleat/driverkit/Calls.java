package io.cleat.driverkit;

import io.cleat.base.Trouble;
import io.grpc.Context;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;

/** How a call ends: with its answer, or with the driver's words. */
final class Calls {
    /** Whoever runs plugins asks for a task again by these words. */
    static final String UNKNOWN_TASK = "task not found for given id";

    private Calls() {}

    /** What answers a call. */
    @FunctionalInterface
    interface Answer<R> {
        R get() throws Trouble, InterruptedException;
    }

    /** What answers a call with as many messages as there are. */
    @FunctionalInterface
    interface Work {
        void run() throws Trouble, InterruptedException;
    }

    /** Answers with one message. */
    static <R> void answer(StreamObserver<R> to, Answer<R> answer) {
        complete(to, () -> to.onNext(answer.get()));
    }

    /** Runs what answers on this thread, which a caller that hangs up interrupts. */
    static <R> void complete(StreamObserver<R> to, Work work) {
        Thread here = Thread.currentThread();
        Context.CancellationListener hungUp = context -> here.interrupt();
        Context call = Context.current();
        call.addListener(hungUp, Runnable::run);
        try {
            work.run();
            to.onCompleted();
        } catch (Trouble trouble) {
            to.onError(failure(trouble));
        } catch (InterruptedException nobodyWaits) {
            to.onError(Status.CANCELLED.asRuntimeException());
        } finally {
            call.removeListener(hungUp);
        }
    }

    static RuntimeException failure(Trouble trouble) {
        return Status.UNKNOWN.withDescription(trouble.reason()).asRuntimeException();
    }
}
