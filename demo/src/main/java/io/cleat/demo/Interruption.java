package io.cleat.demo;

import java.util.concurrent.CountDownLatch;

/** Ctrl-C and SIGTERM interrupt the story; the program ends only once it has cleaned up. */
final class Interruption implements AutoCloseable {
    private final CountDownLatch over = new CountDownLatch(1);
    private final Thread hook;

    Interruption(Thread story) {
        hook = Thread.ofPlatform().name("demo/interruption").unstarted(() -> {
            story.interrupt();
            awaitEnd();
        });
        Runtime.getRuntime().addShutdownHook(hook);
    }

    private void awaitEnd() {
        try {
            over.await();
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
        }
    }

    /** Says that all is cleaned up. */
    @Override
    public void close() {
        over.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException endingAlready) {
            // Then the hook is what ends the program now.
            return;
        }
    }
}
