package io.cleat.views;

import io.cleat.http.ListQuery;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * The rows that a list query is about, read no further than its page needs: it begins in the table
 * where the page begins.
 */
final class Ranges {
    private Ranges() {}

    /** The namespace and id that name a row; its token is {@code namespace.id}. */
    record Name(String namespace, String id) {
        String token() {
            return namespace + "." + id;
        }

        static Name ofToken(String token) {
            int dot = token.indexOf('.');
            return dot < 0
                    ? new Name(token, "")
                    : new Name(token.substring(0, dot), token.substring(dot + 1));
        }

        boolean isAfter(Name other) {
            int order = namespace.compareTo(other.namespace);
            return order > 0 || (order == 0 && id.compareTo(other.id) > 0);
        }
    }

    /**
     * Rows named by namespace and id.
     *
     * @param from the rows from that namespace and id on, in their order
     */
    static <R> Iterator<R> named(
            ListQuery query,
            BiFunction<String, String, Collection<R>> from,
            Function<R, Name> name) {
        boolean all = query.read().isAllNamespaces();
        String namespace = query.read().namespace();
        Name first = all ? new Name("", "") : new Name(namespace, query.prefix());
        if (!query.reverse() && !query.nextToken().isEmpty()) {
            Name token = Name.ofToken(query.nextToken());
            first = token.isAfter(first) ? token : first;
        }
        Predicate<R> fits = row -> name.apply(row).id().startsWith(query.prefix());
        Stream<R> rows = stream(from.apply(first.namespace(), first.id()));
        return inOrder(
                query,
                all
                        ? rows.filter(fits)
                        : rows.takeWhile(
                                row ->
                                        name.apply(row).namespace().equals(namespace)
                                                && fits.test(row)));
    }

    /**
     * Rows named by an id alone, which is their token.
     *
     * @param from the rows from that id on, in their order
     */
    static <R> Iterator<R> byId(
            ListQuery query,
            Function<String, Collection<R>> from,
            Function<R, String> id,
            Predicate<R> isWanted) {
        boolean useToken = !query.reverse() && query.nextToken().compareTo(query.prefix()) > 0;
        return inOrder(
                query,
                stream(from.apply(useToken ? query.nextToken() : query.prefix()))
                        .takeWhile(row -> id.apply(row).startsWith(query.prefix()))
                        .filter(isWanted));
    }

    private static <R> Iterator<R> inOrder(ListQuery query, Stream<R> rows) {
        if (!query.reverse()) {
            return rows.iterator();
        }
        List<R> backwards = new ArrayList<>(rows.toList());
        return backwards.reversed().iterator();
    }

    /** Without asking how many rows there are, which costs a walk through all of them. */
    private static <R> Stream<R> stream(Collection<R> rows) {
        return StreamSupport.stream(
                Spliterators.spliteratorUnknownSize(rows.iterator(), Spliterator.ORDERED), false);
    }
}
