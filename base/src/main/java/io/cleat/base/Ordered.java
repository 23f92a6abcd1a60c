package io.cleat.base;

import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Copies that nobody changes, and that are gone through in the order of their keys: the same on every member, in a
 * replay, and in a simulation. Those of the JDK are gone through in an order that is drawn by lot for each process.
 */
public final class Ordered {
    private static final OrderedMap<String, Object> EMPTY = new OrderedMap<>(new Object[0], new Object[0]);

    private Ordered() {}

    /**
     * The map by its keys; itself if it is such a copy.
     *
     * @throws NullPointerException for a key or value that is null
     */
    @SuppressWarnings("unchecked")
    public static <K extends Comparable<? super K>, V> SortedMap<K, V> copyOf(Map<? extends K, ? extends V> map) {
        if (map instanceof OrderedMap<?, ?> copy) {
            return (SortedMap<K, V>) copy;
        }
        if (map.isEmpty()) {
            return (SortedMap<K, V>) (SortedMap<?, ?>) EMPTY;
        }
        SortedMap<K, V> sorted = new TreeMap<>(map);
        return new OrderedMap<>(sorted.keySet().toArray(), sorted.values().toArray());
    }

    /**
     * The set by its elements.
     *
     * @throws NullPointerException for an element that is null
     */
    public static <E extends Comparable<? super E>> SortedSet<E> copyOf(Collection<? extends E> elements) {
        return Collections.unmodifiableSortedSet(new TreeSet<>(elements));
    }

    /**
     * A map of these by their keys.
     *
     * @throws NullPointerException for a key or value that is null
     */
    @SafeVarargs
    public static <K extends Comparable<? super K>, V> SortedMap<K, V> ofEntries(Map.Entry<K, V>... entries) {
        SortedMap<K, V> map = new TreeMap<>();
        for (Map.Entry<K, V> entry : entries) {
            map.put(entry.getKey(), entry.getValue());
        }
        return copyOf(map);
    }

    /** A set of these by their order. */
    @SafeVarargs
    public static <E extends Comparable<? super E>> Set<E> setOf(E... elements) {
        Set<E> set = new TreeSet<>();
        for (E element : elements) {
            set.add(element);
        }
        return Collections.unmodifiableSet(set);
    }
}
