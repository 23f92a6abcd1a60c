package io.cleat.clusterapi.query;

import java.util.AbstractList;
import java.util.List;
import java.util.function.Function;

/**
 * A list of views inside an answer, each made anew whenever it is looked at: while the answer is written there is one
 * of them, however many rows there are. For one thread.
 *
 * @param <R> what is shown
 * @param <V> how it is shown
 */
public final class ListOfViews<R, V> extends AbstractList<V> {
    private final List<R> rows;
    private final Function<R, V> view;

    public ListOfViews(List<R> rows, Function<R, V> view) {
        this.rows = rows;
        this.view = view;
    }

    @Override
    public V get(int index) {
        return view.apply(rows.get(index));
    }

    @Override
    public int size() {
        return rows.size();
    }
}
