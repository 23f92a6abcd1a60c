package io.cleat.server;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

/** A call that blocks, made on a thread of its own. */
public final class Waiting {
    private final FutureTask<?> task;

    private Waiting(Callable<?> call) {
        this.task = new FutureTask<>(call);
    }

    public static Waiting on(Callable<?> call) {
        Waiting waiting = new Waiting(call);
        Thread.ofVirtual().name("waiting/test").start(waiting.task);
        return waiting;
    }

    public boolean isOver() {
        return task.isDone();
    }

    /** Waits for its end, and fails as it failed. */
    public void ended() throws Exception {
        try {
            task.get(20, TimeUnit.SECONDS);
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof Exception cause ? cause : failed;
        }
    }
}
