package io.cleat.state;

import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * A second order of a table: rows by something other than their key.
 *
 * @param slot the index's place among its table's
 * @param keys under what a row is found; none, one or several
 */
record Index<X extends Comparable<? super X>, R>(int slot, Function<R, Set<X>> keys) {
    static <X extends Comparable<? super X>, R> Index<X, R> one(int slot, Function<R, X> key) {
        return new Index<>(slot, row -> Set.of(key.apply(row)));
    }

    static <X extends Comparable<? super X>, R> Index<X, R> some(int slot, Function<R, Optional<X>> key) {
        return new Index<>(slot, row -> key.apply(row).map(Set::of).orElse(Set.of()));
    }
}
