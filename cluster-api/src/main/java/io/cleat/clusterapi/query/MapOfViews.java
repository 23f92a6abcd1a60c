package io.cleat.clusterapi.query;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.Function;

/**
 * As {@link ListOfViews}, by name: what is shown is kept, and each view is made anew whenever it is looked at. For one
 * thread.
 *
 * @param <R> what is shown
 * @param <V> how it is shown
 */
public final class MapOfViews<R, V> extends AbstractMap<String, V> {
    private final SortedMap<String, R> rows;
    private final Function<R, V> view;

    public MapOfViews(SortedMap<String, R> rows, Function<R, V> view) {
        this.rows = rows;
        this.view = view;
    }

    @Override
    public Set<Map.Entry<String, V>> entrySet() {
        return new AbstractSet<>() {
            @Override
            public Iterator<Map.Entry<String, V>> iterator() {
                return rows.entrySet().stream()
                        .map(row -> Map.entry(row.getKey(), view.apply(row.getValue())))
                        .iterator();
            }

            @Override
            public int size() {
                return rows.size();
            }
        };
    }
}
