package io.cleat.clusterapi.query;

import io.cleat.api.Rendered;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicIntegerArray;
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

    /** A power of two. */
    private static final int REMEMBERED = 512;

    /** Hashes of names that differ in their last character are next to each other (Fibonacci hashing). */
    private static final int SPREAD = 0x9E3779B9;

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

    /**
     * Of the keys that were asked for last and not kept: their hashes, each in its place. Without places, all are kept.
     */
    private final AtomicIntegerArray asked;

    private final long mostBytes;

    private RenderedRows(long mostBytes, int remembered) {
        this.mostBytes = mostBytes;
        this.asked = new AtomicIntegerArray(remembered);
    }

    /**
     * For rows of which the caller knows that they are likely to be read again.
     *
     * @param mostBytes for as many rows as people and programs look at again and again
     */
    public static <K, R, B> RenderedRows<K, R, B> atOnce(long mostBytes) {
        return new RenderedRows<>(mostBytes, 0);
    }

    /**
     * For rows of which most are read once, as by who goes over all of them: those are not kept, and leave the others.
     */
    public static <K, R, B> RenderedRows<K, R, B> onceReadAgain(long mostBytes) {
        return new RenderedRows<>(mostBytes, REMEMBERED);
    }

    /**
     * What is written for a row.
     *
     * @param item makes what is shown
     */
    public Object of(K key, R row, B beside, Supplier<?> item) {
        Kept<R, B> known = kept.get(key);
        if (known != null && known.shows(row, beside)) {
            return known.rendered().beside(item);
        }
        Object made = item.get();
        if (known == null && !isAskedAgain(key)) {
            return made;
        }
        Kept<R, B> now = new Kept<>(row, beside, Rendered.of(made));
        keep(key, now);
        return now.rendered().beside(item);
    }

    /** Whether it was the last that was asked for of those that share its place. */
    private boolean isAskedAgain(K key) {
        if (asked.length() == 0) {
            return true;
        }
        int hash = key.hashCode() * SPREAD;
        return asked.getAndSet(hash >>> (Integer.SIZE - Integer.numberOfTrailingZeros(REMEMBERED)), hash) == hash;
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
