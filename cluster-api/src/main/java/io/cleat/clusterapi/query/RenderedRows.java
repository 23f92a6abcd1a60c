package io.cleat.clusterapi.query;

import io.cleat.api.Rendered;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * What is shown of rows, as JSON, kept until the row changes or what is shown beside it: what is read again is copied.
 * Takes so many bytes at most, and begins anew where they are used up. Safe for any number of threads.
 *
 * @param <K> names a row
 * @param <R> a row, which is another one where anything of it changes
 * @param <B> what is shown beside a row, which is equal where it shows the same
 */
public final class RenderedRows<K, R, B> {
    /** What an entry takes beside its text. */
    private static final long ENTRY = 200;

    private record Kept<R, B>(R row, B beside, Rendered rendered) {
        /** A row that is equal and another object would cost as much as making its JSON. */
        @SuppressWarnings("ReferenceEquality")
        boolean shows(R asked, B askedBeside) {
            return row == asked && beside.equals(askedBeside);
        }

        long size() {
            return ENTRY + rendered.size();
        }
    }

    private final ConcurrentMap<K, Kept<R, B>> kept = new ConcurrentHashMap<>();
    private final AtomicLong bytes = new AtomicLong();
    private final long mostBytes;

    /** @param mostBytes for as many rows as people and programs look at again and again */
    public RenderedRows(long mostBytes) {
        this.mostBytes = mostBytes;
    }

    /**
     * What is written for a row.
     *
     * @param item makes what is shown
     */
    public Object of(K key, R row, B beside, Supplier<?> item) {
        Kept<R, B> known = kept.get(key);
        if (known == null || !known.shows(row, beside)) {
            known = new Kept<>(row, beside, Rendered.of(item.get()));
            keep(key, known);
        }
        return known.rendered().beside(item);
    }

    /** What is kept, in about as many bytes. */
    long bytes() {
        return bytes.get();
    }

    private void keep(K key, Kept<R, B> made) {
        Kept<R, B> before = kept.put(key, made);
        long freed = before == null ? 0 : before.size();
        if (bytes.addAndGet(made.size() - freed) > mostBytes) {
            kept.clear();
            bytes.set(0);
        }
    }
}
