package io.cleat.state;

import io.cleat.codec.RecordHash;
import java.util.AbstractCollection;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.pcollections.TreePMap;
import org.pcollections.TreePSet;

/**
 * Rows by key, in the order of the keys, with indexes. Immutable: a change gives a new table that shares what did not
 * change.
 */
final class Table<K extends Comparable<? super K>, R extends Row<R>> {
    private final Function<R, K> keyOf;
    private final List<Index<?, R>> indexes;
    private final TreePMap<K, R> rows;
    private final List<TreePMap<Object, TreePSet<K>>> entries;
    private final long version;
    private final long sum;

    private Table(
            Function<R, K> keyOf,
            List<Index<?, R>> indexes,
            TreePMap<K, R> rows,
            List<TreePMap<Object, TreePSet<K>>> entries,
            long version,
            long sum) {
        this.keyOf = keyOf;
        this.indexes = indexes;
        this.rows = rows;
        this.entries = entries;
        this.version = version;
        this.sum = sum;
    }

    /** An empty table; each index's slot is its place in {@code indexes}. */
    static <K extends Comparable<? super K>, R extends Row<R>> Table<K, R> empty(
            Function<R, K> keyOf, List<Index<?, R>> indexes) {
        List<TreePMap<Object, TreePSet<K>>> entries = new ArrayList<>();
        for (int i = 0; i < indexes.size(); i++) {
            entries.add(TreePMap.empty(Table::compare));
        }
        return new Table<>(keyOf, indexes, TreePMap.empty(), List.copyOf(entries), 0, 0);
    }

    /** The version that last changed any row; 0 if none ever did. */
    long version() {
        return version;
    }

    /** The sum of the rows' hashes, kept with each change; 0 without rows. */
    long sum() {
        return sum;
    }

    /** The same, made anew from the rows. */
    long sumAnew() {
        return rows.values().stream().mapToLong(RecordHash::of).sum();
    }

    @Nullable
    R get(K key) {
        return rows.get(key);
    }

    int size() {
        return rows.size();
    }

    Collection<R> all() {
        return rows.values();
    }

    /** From the first row whose key is not less than {@code key}. */
    Collection<R> from(K key) {
        return rows.tailMap(key).values();
    }

    /** Backwards, from the last row whose key is less than {@code key}. */
    Collection<R> before(K key) {
        return rows.headMap(key).descendingMap().values();
    }

    /** The rows found under {@code x}, in the order of their keys. */
    <X extends Comparable<? super X>> List<R> find(Index<X, R> index, X x) {
        TreePSet<K> keys = entries.get(index.slot()).get(x);
        if (keys == null) {
            return List.of();
        }
        List<R> found = new ArrayList<>(keys.size());
        for (K key : keys) {
            R row = rows.get(key);
            if (row != null) {
                found.add(row);
            }
        }
        return Collections.unmodifiableList(found);
    }

    /**
     * As {@link #find}, from the first row whose key is not less than {@code key}; read no further than it is iterated.
     */
    <X extends Comparable<? super X>> Collection<R> find(Index<X, R> index, X x, K key) {
        TreePSet<K> keys = entries.get(index.slot()).get(x);
        return keys == null ? List.of() : new Found<>(rows, keys.tailSet(key));
    }

    /** As {@link #find}, read no further than it is iterated. */
    <X extends Comparable<? super X>> Collection<R> each(Index<X, R> index, X x) {
        TreePSet<K> keys = entries.get(index.slot()).get(x);
        return keys == null ? List.of() : new Found<>(rows, keys);
    }

    /** As {@link #each}, backwards, from the last row whose key is less than {@code key}. */
    <X extends Comparable<? super X>> Collection<R> findBefore(Index<X, R> index, X x, K key) {
        TreePSet<K> keys = entries.get(index.slot()).get(x);
        return keys == null ? List.of() : new Found<>(rows, keys.headSet(key).descendingSet());
    }

    /** The rows of an index's keys, each looked up when it is asked for. */
    private static final class Found<K, R> extends AbstractCollection<R> {
        private final TreePMap<K, R> rows;
        private final Collection<K> keys;

        Found(TreePMap<K, R> rows, Collection<K> keys) {
            this.rows = rows;
            this.keys = keys;
        }

        @Override
        public Iterator<R> iterator() {
            Iterator<K> each = keys.iterator();
            return new Iterator<>() {
                @Override
                public boolean hasNext() {
                    return each.hasNext();
                }

                @Override
                public R next() {
                    return Objects.requireNonNull(rows.get(each.next()));
                }
            };
        }

        @Override
        public int size() {
            return keys.size();
        }
    }

    /**
     * The rows under the keys of an index from {@code first} up to, not including, {@code end}, in the order of those
     * keys; read no further than asked for.
     */
    <X extends Comparable<? super X>> Stream<R> between(Index<X, R> index, X first, X end) {
        return entries.get(index.slot()).tailMap(first).headMap(end).values().stream()
                .flatMap(keys -> keys.stream().flatMap(this::present));
    }

    <X extends Comparable<? super X>> boolean has(Index<X, R> index, X x) {
        return entries.get(index.slot()).containsKey(x);
    }

    /** With this row, its versions set. */
    Table<K, R> put(R row, long newVersion) {
        K key = keyOf.apply(row);
        R old = rows.get(key);
        long create = old == null ? newVersion : old.createVersion();
        return putAsIs(key, old, row.stamped(create, newVersion), newVersion);
    }

    /** With this row of a snapshot, its versions as they are. */
    Table<K, R> restore(R row) {
        K key = keyOf.apply(row);
        return putAsIs(key, rows.get(key), row, version);
    }

    Table<K, R> remove(K key, long newVersion) {
        R old = rows.get(key);
        if (old == null) {
            return this;
        }
        return new Table<>(
                keyOf, indexes, rows.minus(key), reindexed(key, old, null), newVersion, sum - RecordHash.of(old));
    }

    Table<K, R> withVersion(long newVersion) {
        return new Table<>(keyOf, indexes, rows, entries, newVersion, sum);
    }

    private Table<K, R> putAsIs(K key, @Nullable R old, R row, long newVersion) {
        return new Table<>(
                keyOf,
                indexes,
                rows.plus(key, row),
                reindexed(key, old, row),
                newVersion,
                sum + RecordHash.of(row) - (old == null ? 0 : RecordHash.of(old)));
    }

    private List<TreePMap<Object, TreePSet<K>>> reindexed(K key, @Nullable R old, @Nullable R row) {
        List<TreePMap<Object, TreePSet<K>>> next = new ArrayList<>(entries.size());
        for (Index<?, R> index : indexes) {
            Set<?> before = old == null ? Set.of() : index.keys().apply(old);
            Set<?> after = row == null ? Set.of() : index.keys().apply(row);
            TreePMap<Object, TreePSet<K>> entry = entries.get(index.slot());
            next.add(before.equals(after) ? entry : moved(entry, key, before, after));
        }
        return next;
    }

    private static <K extends Comparable<? super K>> TreePMap<Object, TreePSet<K>> moved(
            TreePMap<Object, TreePSet<K>> entry, K key, Set<?> before, Set<?> after) {
        for (Object x : before) {
            TreePSet<K> keys = entry.get(x);
            if (keys != null && !after.contains(x)) {
                TreePSet<K> rest = keys.minus(key);
                entry = rest.isEmpty() ? entry.minus(x) : entry.plus(x, rest);
            }
        }
        for (Object x : after) {
            TreePSet<K> keys = entry.get(x);
            entry = entry.plus(x, keys == null ? TreePSet.singleton(key) : keys.plus(key));
        }
        return entry;
    }

    private Stream<R> present(K key) {
        return Stream.ofNullable(rows.get(key));
    }

    @SuppressWarnings("unchecked") // an index has keys of one comparable type
    private static int compare(Object a, Object b) {
        return ((Comparable<Object>) a).compareTo(b);
    }
}
