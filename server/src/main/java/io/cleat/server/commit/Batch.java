package io.cleat.server.commit;

import io.cleat.base.InvariantBroken;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The decisions that become one entry. Owned by the deciding thread. */
final class Batch<S, C> {
    private final List<Waiter<S, C, ?>> waiters = new ArrayList<>();
    private final List<ReadBack<S, C>> decisions = new ArrayList<>();
    private @Nullable Instant decidedAt;
    private @Nullable Applied<S> before;
    private int size;

    /** @param newest what the first of this batch is decided on */
    void begin(Applied<S> newest, Instant at) {
        before = newest;
        decidedAt = at;
    }

    /** Nothing was begun. */
    boolean isFresh() {
        return decidedAt == null;
    }

    /** Nothing in it changes anything. */
    boolean isEmpty() {
        return decisions.isEmpty();
    }

    /** @param stored null when nothing changes */
    void add(Waiter<S, C, ?> waiter, @Nullable ReadBack<S, C> stored) {
        waiters.add(waiter);
        if (stored != null) {
            decisions.add(stored);
            size += stored.bytes().length + EntryCodec.PER_DECISION;
        }
    }

    /** Bytes of its decisions in the entry. */
    int size() {
        return size;
    }

    /** What was the newest before it was begun. */
    Applied<S> before() {
        return begun(before);
    }

    Instant decidedAt() {
        return begun(decidedAt);
    }

    private <T> T begun(@Nullable T value) {
        if (value == null) {
            throw new InvariantBroken("a batch is begun before it is filled", waiters.size());
        }
        return value;
    }

    List<Waiter<S, C, ?>> waiters() {
        return waiters;
    }

    List<Entry.Decided> decisions() {
        return decisions.stream()
                .map(stored -> new Entry.Decided(0, stored.bytes()))
                .toList();
    }

    /** What each of its decisions led to. */
    List<AppliedDecision<S, C>> led() {
        return decisions.stream().map(ReadBack::decision).toList();
    }
}
