package io.cleat.api;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Makes records of one type from those of another. */
final class RecordMap<A extends Record, B extends Record> {
    private final Components<A> from;
    private final Components<B> to;
    private final List<Source<A>> sources;

    /** What makes one component. */
    @FunctionalInterface
    interface Source<A> {
        /**
         * The value of the component.
         *
         * @param parts the components of {@code whole}
         */
        @Nullable
        Object value(A whole, @Nullable Object[] parts);
    }

    /**
     * How records are made.
     *
     * @param sources by component
     * @throws IllegalArgumentException a component is made by nothing, or is none
     */
    RecordMap(Components<A> from, Components<B> to, Map<String, Source<A>> sources) {
        this.from = from;
        this.to = to;
        this.sources = to.names().stream().map(name -> source(name, sources)).toList();
        sources.keySet().forEach(to::place);
    }

    private Source<A> source(String name, Map<String, Source<A>> all) {
        Source<A> source = all.get(name);
        if (source == null) {
            throw new IllegalArgumentException("nothing of %s makes %s of %s".formatted(from, name, to));
        }
        return source;
    }

    B apply(A given) {
        @Nullable Object[] parts = from.values(given);
        @Nullable Object[] made = new Object[sources.size()];
        for (int i = 0; i < made.length; i++) {
            made[i] = sources.get(i).value(given, parts);
        }
        return to.make(made);
    }
}
