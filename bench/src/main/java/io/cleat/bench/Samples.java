package io.cleat.bench;

import java.time.Duration;
import java.util.Arrays;

/** Durations of one kind. Used by one thread, or by several one after the other. */
final class Samples {
    private long[] nanos = new long[64];
    private int count;

    void add(long durationNanos) {
        if (count == nanos.length) {
            nanos = Arrays.copyOf(nanos, 2 * count);
        }
        nanos[count++] = durationNanos;
    }

    void addAll(Samples others) {
        for (int i = 0; i < others.count; i++) {
            add(others.nanos[i]);
        }
    }

    int count() {
        return count;
    }

    /** Seconds; of {@code percent} in a hundred none is longer. 0 without samples. */
    double seconds(int percent) {
        if (count == 0) {
            return 0;
        }
        long[] sorted = Arrays.copyOf(nanos, count);
        Arrays.sort(sorted);
        return sorted[Math.min(count - 1, count * percent / 100)] / 1e9;
    }

    double median() {
        return seconds(50);
    }

    /** The worst one in a hundred, in words. */
    String tail() {
        return "p99 " + Unit.SECONDS.text(seconds(99)) + ", n=" + count;
    }

    static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }
}
