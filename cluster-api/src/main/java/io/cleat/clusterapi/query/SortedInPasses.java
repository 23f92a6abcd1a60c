package io.cleat.clusterapi.query;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.PriorityQueue;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Rows in an order that is not that of their table. They are not sorted as a whole: each pass through the table takes
 * the next of them, so that however many there are, few are held. For one thread.
 */
public final class SortedInPasses<R> implements Iterator<R> {
    /** How many a pass takes: nearly always one is enough; a million rows need 62. */
    public static final int A_PASS = 16 * 1024;

    private final Supplier<Stream<R>> rows;
    private final Comparator<R> order;
    private final int aPass;
    private final Deque<R> ready = new ArrayDeque<>();
    private @Nullable R after;
    private boolean isAtEnd;

    /**
     * @param rows gives the same rows as often as it is asked, in any order
     * @param order in which no two are equal
     * @param from where to begin; null for the first
     * @param aPass how many are held at most
     */
    public SortedInPasses(Supplier<Stream<R>> rows, Comparator<R> order, @Nullable R from, int aPass) {
        this.rows = rows;
        this.order = order;
        this.aPass = aPass;
        if (from != null) {
            ready.add(from);
            after = from;
        }
    }

    @Override
    public boolean hasNext() {
        if (ready.isEmpty() && !isAtEnd) {
            pass();
        }
        return !ready.isEmpty();
    }

    @Override
    public R next() {
        if (!hasNext()) {
            throw new NoSuchElementException("all rows were read");
        }
        return ready.remove();
    }

    private void pass() {
        R last = after;
        // The latest is on top, to be thrown out by an older one.
        PriorityQueue<R> oldest = new PriorityQueue<>(order.reversed());
        rows.get().filter(row -> last == null || order.compare(row, last) > 0).forEach(row -> {
            if (oldest.size() < aPass) {
                oldest.add(row);
            } else if (order.compare(row, oldest.element()) < 0) {
                oldest.remove();
                oldest.add(row);
            }
        });
        isAtEnd = oldest.size() < aPass;
        while (!oldest.isEmpty()) {
            ready.addFirst(oldest.remove());
        }
        if (!ready.isEmpty()) {
            after = ready.getLast();
        }
    }
}
