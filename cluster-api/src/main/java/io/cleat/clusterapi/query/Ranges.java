package io.cleat.clusterapi.query;

import io.cleat.http.ListQuery;
import java.util.Collection;
import java.util.Optional;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * The rows that a list query is about, read no further than its page needs: it begins in the table where the page
 * begins.
 */
public final class Ranges {
    /** After every text that is Unicode: its first character is none. */
    private static final String LAST = String.valueOf(Character.MAX_VALUE);

    private Ranges() {}

    /** The namespace and id that name a row; its token is {@code namespace.id}. */
    public record Name(String namespace, String id) {
        public String token() {
            return namespace + "." + id;
        }

        static Name ofToken(String token) {
            int dot = token.indexOf('.');
            return dot < 0 ? new Name(token, "") : new Name(token.substring(0, dot), token.substring(dot + 1));
        }

        boolean isAfter(Name other) {
            int order = namespace.compareTo(other.namespace);
            return order > 0 || (order == 0 && id.compareTo(other.id) > 0);
        }
    }

    /**
     * A table, or what an index says of one, as far as a list needs it.
     *
     * @param <K> what the rows are in the order of
     */
    public interface Ordered<K, R> {
        /** From the first row whose key is not less than {@code key}. */
        Collection<R> from(K key);

        /** Backwards, from the last row whose key is less than {@code key}. */
        Collection<R> before(K key);
    }

    /** A table in both orders. */
    public static <K, R> Ordered<K, R> ordered(Function<K, Collection<R>> from, Function<K, Collection<R>> before) {
        return new Ordered<>() {
            @Override
            public Collection<R> from(K key) {
                return from.apply(key);
            }

            @Override
            public Collection<R> before(K key) {
                return before.apply(key);
            }
        };
    }

    /** Rows named by namespace and id. */
    public static <R> Supplier<Stream<R>> named(ListQuery query, Ordered<Name, R> table, Function<R, Name> name) {
        boolean all = query.read().shown().areAll();
        String namespace = query.read().namespace();
        Predicate<R> fits = row -> name.apply(row).id().startsWith(query.prefix());
        Predicate<R> isInRange = row -> name.apply(row).namespace().equals(namespace) && fits.test(row);
        Name begin = begin(query, all, namespace);
        return () -> {
            Stream<R> rows = stream(query.reverse() ? table.before(begin) : table.from(begin));
            return all ? rows.filter(fits) : rows.takeWhile(isInRange);
        };
    }

    /** Where the list begins: at the first name it may have; backwards, before the first after. */
    private static Name begin(ListQuery query, boolean all, String namespace) {
        Name token = query.nextToken().isEmpty() ? null : Name.ofToken(query.nextToken());
        if (!query.reverse()) {
            Name first = all ? new Name("", "") : new Name(namespace, query.prefix());
            return token != null && token.isAfter(first) ? token : first;
        }
        Name end = all ? new Name(LAST, "") : end(namespace, query.prefix());
        Name afterToken = token == null ? end : new Name(token.namespace(), next(token.id()));
        return end.isAfter(afterToken) ? afterToken : end;
    }

    /** The first name after all of a namespace that begin with {@code prefix}. */
    private static Name end(String namespace, String prefix) {
        return nextPrefix(prefix)
                .map(after -> new Name(namespace, after))
                .orElseGet(() -> new Name(next(namespace), ""));
    }

    /**
     * Rows named by an id alone, which is their token.
     *
     * @param id of a row
     */
    public static <R> Supplier<Stream<R>> byId(
            ListQuery query, Ordered<String, R> table, Function<R, String> id, Predicate<R> isWanted) {
        String begin = begin(query);
        return () -> stream(query.reverse() ? table.before(begin) : table.from(begin))
                .takeWhile(row -> id.apply(row).startsWith(query.prefix()))
                .filter(isWanted);
    }

    private static String begin(ListQuery query) {
        if (!query.reverse()) {
            boolean useToken = query.nextToken().compareTo(query.prefix()) > 0;
            return useToken ? query.nextToken() : query.prefix();
        }
        String end = nextPrefix(query.prefix()).orElse(LAST);
        String afterToken = query.nextToken().isEmpty() ? end : next(query.nextToken());
        return afterToken.compareTo(end) < 0 ? afterToken : end;
    }

    /** The first text after {@code text}. */
    private static String next(String text) {
        return text + '\0';
    }

    /** The first text after all that begin with {@code prefix}; empty if there is none. */
    private static Optional<String> nextPrefix(String prefix) {
        for (int i = prefix.length() - 1; i >= 0; i--) {
            char last = prefix.charAt(i);
            if (last < Character.MAX_VALUE) {
                return Optional.of(prefix.substring(0, i) + (char) (last + 1));
            }
        }
        return Optional.empty();
    }

    /** Without asking how many rows there are, which costs a walk through all of them. */
    public static <R> Stream<R> stream(Collection<R> rows) {
        return StreamSupport.stream(Spliterators.spliteratorUnknownSize(rows.iterator(), Spliterator.ORDERED), false);
    }
}
