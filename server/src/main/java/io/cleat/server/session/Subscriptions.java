package io.cleat.server.session;

import io.cleat.base.LinkTrouble;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/**
 * What readers of a node have asked for on one link, and what each was told last.
 *
 * <p>{@link #tell} belongs to one thread; the rest is any thread's.
 *
 * @param <R> who reads
 * @param <T> what it is told, or what tells one telling from another
 */
final class Subscriptions<R, T> {
    private final AtomicLong asked = new AtomicLong();

    /** Each with the number of the last time that it was asked for. */
    private final Map<R, Long> wanted = new ConcurrentHashMap<>();

    private final Map<R, Sent<T>> told = new HashMap<>();

    /** @param asked the number of the time that it was asked for */
    private record Sent<T>(long asked, T what) {}

    /** Tells one reader. */
    @FunctionalInterface
    interface Telling<R, T> {
        void tell(R reader, T what) throws LinkTrouble, InterruptedException;
    }

    /** How many readers there are. */
    int count() {
        return wanted.size();
    }

    /** It is told, though it were what it was told before. */
    void want(R reader) {
        wanted.put(reader, asked.incrementAndGet());
    }

    void forget(R reader) {
        wanted.remove(reader);
    }

    /**
     * Tells each reader for which something is different.
     *
     * @param now what a reader is to know; empty for one that is none any more
     */
    void tell(Function<R, Optional<T>> now, Telling<R, T> telling) throws LinkTrouble, InterruptedException {
        told.keySet().retainAll(wanted.keySet());
        for (Map.Entry<R, Long> each : Map.copyOf(wanted).entrySet()) {
            R reader = each.getKey();
            Optional<T> what = now.apply(reader);
            if (what.isEmpty()) {
                wanted.remove(reader);
                told.remove(reader);
                continue;
            }
            Sent<T> is = new Sent<>(each.getValue(), what.get());
            if (!is.equals(told.put(reader, is))) {
                telling.tell(reader, what.get());
            }
        }
    }
}
