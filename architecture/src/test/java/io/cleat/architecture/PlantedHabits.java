package io.cleat.architecture;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/** What the program does not do, all of it: {@link HabitsTest} must find each. Never run, only read. */
@SuppressWarnings("all")
final class PlantedHabits {
    /** A future in a field that others see. */
    final CompletableFuture<String> field = CompletableFuture.completedFuture("");

    /** A name that says nothing. */
    static final class VolumeManager {}

    CompletableFuture<String> future() {
        return field;
    }

    void monitor() throws InterruptedException {
        wait();
        notifyAll();
    }

    String ambient() throws InterruptedException {
        Thread.sleep(1);
        Thread.ofVirtual();
        return UUID.randomUUID() + " " + Instant.now() + System.nanoTime() + new Random();
    }

    long walk(Path tree) throws IOException {
        try (Stream<Path> all = Files.walk(tree)) {
            return all.count();
        }
    }

    void remove(Path file) throws IOException {
        Files.delete(file);
    }
}
