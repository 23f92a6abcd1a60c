package io.cleat.base;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * A map that nobody changes, as two arrays in the order of its keys: it takes half of what a tree takes. A sub-map is a
 * copy.
 */
final class OrderedMap<K extends Comparable<? super K>, V> extends AbstractMap<K, V> implements SortedMap<K, V> {
    private final Object[] keys;
    private final Object[] values;

    /**
     * @param keys in their order, each once
     * @param values of each key
     */
    OrderedMap(Object[] keys, Object[] values) {
        for (Object value : values) {
            Objects.requireNonNull(value);
        }
        this.keys = keys;
        this.values = values;
    }

    @SuppressWarnings("unchecked")
    private K key(int at) {
        return (K) keys[at];
    }

    @SuppressWarnings("unchecked")
    private V value(int at) {
        return (V) values[at];
    }

    /** Where a key is, or, below zero, where it would be: {@code -(place) - 1}. */
    private int find(Object key) {
        try {
            return Arrays.binarySearch(keys, key);
        } catch (ClassCastException another) {
            return -1;
        }
    }

    private int place(K key) {
        int found = find(key);
        return found < 0 ? -found - 1 : found;
    }

    @Override
    public int size() {
        return keys.length;
    }

    @Override
    public boolean containsKey(@Nullable Object key) {
        return key != null && find(key) >= 0;
    }

    @Override
    public @Nullable V get(@Nullable Object key) {
        int found = key == null ? -1 : find(key);
        return found < 0 ? null : value(found);
    }

    @Override
    public Set<Map.Entry<K, V>> entrySet() {
        return new AbstractSet<>() {
            @Override
            public int size() {
                return keys.length;
            }

            @Override
            public Iterator<Map.Entry<K, V>> iterator() {
                return new Entries();
            }
        };
    }

    private final class Entries implements Iterator<Map.Entry<K, V>> {
        private int next;

        @Override
        public boolean hasNext() {
            return next < keys.length;
        }

        @Override
        public Map.Entry<K, V> next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            Map.Entry<K, V> entry = Map.entry(key(next), value(next));
            next++;
            return entry;
        }
    }

    @Override
    public @Nullable Comparator<? super K> comparator() {
        return null;
    }

    private SortedMap<K, V> range(int from, int to) {
        return new OrderedMap<>(
                Arrays.copyOfRange(keys, from, Math.max(from, to)),
                Arrays.copyOfRange(values, from, Math.max(from, to)));
    }

    @Override
    public SortedMap<K, V> subMap(K from, K to) {
        return range(place(from), place(to));
    }

    @Override
    public SortedMap<K, V> headMap(K to) {
        return range(0, place(to));
    }

    @Override
    public SortedMap<K, V> tailMap(K from) {
        return range(place(from), keys.length);
    }

    @Override
    public K firstKey() {
        if (keys.length == 0) {
            throw new NoSuchElementException();
        }
        return key(0);
    }

    @Override
    public K lastKey() {
        if (keys.length == 0) {
            throw new NoSuchElementException();
        }
        return key(keys.length - 1);
    }
}
