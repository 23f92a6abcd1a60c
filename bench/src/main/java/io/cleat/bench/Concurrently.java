package io.cleat.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * What came of many things that were begun at once.
 *
 * @param seconds until the last one was done
 */
record Concurrently<R>(List<R> results, double seconds) {
    Concurrently {
        results = List.copyOf(results);
    }

    /** What is done with each. */
    @FunctionalInterface
    interface Action<T, R> {
        R on(T each) throws Exception;
    }

    static <T, R> Concurrently<R> of(List<T> all, Action<T, R> action) throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            long begin = System.nanoTime();
            List<Future<R>> begun = new ArrayList<>();
            for (T each : all) {
                begun.add(threads.submit(() -> action.on(each)));
            }
            List<R> results = new ArrayList<>();
            for (Future<R> each : begun) {
                results.add(each.get());
            }
            return new Concurrently<>(results, (System.nanoTime() - begin) / 1e9);
        }
    }
}
