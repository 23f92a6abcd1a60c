package io.cleat.api;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * A list whose items are made one by one as they are read, so that an answer as long as the cluster is large is never
 * whole in memory. May be read any number of times, by one thread at a time; each reading makes the items anew, and all
 * are of the one image that it was made over.
 *
 * @param <T> a record of this package
 */
public final class Rows<T> implements Iterable<T> {
    private final Supplier<Stream<T>> items;
    private final Supplier<? extends Stream<?>> written;

    private Rows(Supplier<Stream<T>> items, Supplier<? extends Stream<?>> written) {
        this.items = items;
        this.written = written;
    }

    /**
     * @param items gives a new stream, which makes what it gives no earlier than it is asked for it; thus without
     *     {@code flatMap}, which gathers
     */
    public static <T> Rows<T> of(Supplier<Stream<T>> items) {
        return new Rows<>(items, items);
    }

    /**
     * @param items as above
     * @param written gives what is written for them, such as what is {@link Rendered}
     */
    public static <T> Rows<T> of(Supplier<Stream<T>> items, Supplier<? extends Stream<?>> written) {
        return new Rows<>(items, written);
    }

    public static <T> Rows<T> of(List<T> items) {
        return of(items::stream);
    }

    @JsonValue
    Iterator<?> written() {
        return written.get().iterator();
    }

    @Override
    public Iterator<T> iterator() {
        return items.get().iterator();
    }

    /** The first item; empty if there is none. */
    public Optional<T> first() {
        Iterator<T> each = iterator();
        return each.hasNext() ? Optional.of(each.next()) : Optional.empty();
    }

    /** All items, in memory: for few. */
    public List<T> toList() {
        return items.get().toList();
    }
}
