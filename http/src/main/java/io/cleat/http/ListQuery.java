package io.cleat.http;

import io.cleat.api.Answer;
import io.cleat.api.AnswerMeta;
import io.cleat.api.Rows;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Which part of a list is wanted.
 *
 * @param prefix of the id; empty for all
 * @param filter what each item's whole object must satisfy
 * @param perPage how many items at most; 0 for all
 * @param nextToken the token of the first item wanted; empty for the first of all
 * @param reverse whether the list runs backwards
 */
public record ListQuery(ReadQuery read, String prefix, Filter filter, int perPage, String nextToken, boolean reverse) {
    /**
     * A page of up to so many rows is walked once. Of a longer one the rows are not kept, whose count a client chooses:
     * it is walked to its end, and again as it is read.
     */
    private static final int KEPT_ROWS = 1000;

    /** All of a namespace, at once. */
    public static ListQuery all(String namespace) {
        return new ListQuery(ReadQuery.now(namespace), "", Filter.ALL, 0, "", false);
    }

    /** The token of a row in a list that is ordered by creation: as texts, such tokens are in that order too. */
    public static String creationToken(long createIndex, String id) {
        String digits = String.valueOf(createIndex);
        return "0".repeat(Math.max(0, 19 - digits.length())) + digits + "." + id;
    }

    /**
     * One page of {@code rows}. Where it ends is known on return; its items are made as they are read.
     *
     * @param rows gives them in the order of the list (backwards if {@link #reverse}); may begin before
     *     {@link #nextToken}, is read only as far as the page needs, and may be asked for again as long as the answer
     *     is read
     * @param token what names a row to the client, in the order of the rows
     * @param whole the whole object of a row, which the filter looks at
     * @param item what the list shows of a row
     */
    public <R, T> Answer<Rows<T>> page(
            Supplier<Stream<R>> rows,
            Function<R, String> token,
            Function<R, ?> whole,
            Function<R, T> item,
            AnswerMeta meta) {
        return page(rows, token, whole, item, item, meta);
    }

    /**
     * As above.
     *
     * @param written what is written for a row, which is the same as its item
     */
    public <R, T> Answer<Rows<T>> page(
            Supplier<Stream<R>> rows,
            Function<R, String> token,
            Function<R, ?> whole,
            Function<R, T> item,
            Function<R, ?> written,
            AnswerMeta meta) {
        Supplier<Stream<R>> wanted = () ->
                rows.get().dropWhile(row -> isBefore(token, row)).filter(row -> filter.matches(() -> whole.apply(row)));
        if (perPage == 0) {
            return new Answer<>(rows(wanted, item, written), meta);
        }
        Iterator<R> walk = wanted.get().iterator();
        List<R> first = new ArrayList<>();
        int count = 0;
        while (count < perPage && walk.hasNext()) {
            R row = walk.next();
            if (count < KEPT_ROWS) {
                first.add(row);
            }
            count++;
        }
        int length = count;
        return new Answer<>(
                length <= KEPT_ROWS
                        ? rows(first::stream, item, written)
                        : rows(() -> wanted.get().limit(length), item, written),
                walk.hasNext() ? meta.withNextToken(token.apply(walk.next())) : meta);
    }

    private static <R, T> Rows<T> rows(Supplier<Stream<R>> rows, Function<R, T> item, Function<R, ?> written) {
        return Rows.of(() -> rows.get().map(item), () -> rows.get().map(written));
    }

    private <R> boolean isBefore(Function<R, String> token, R row) {
        return !nextToken.isEmpty() && isBefore(token.apply(row));
    }

    private boolean isBefore(String token) {
        int order = token.compareTo(nextToken);
        return reverse ? order > 0 : order < 0;
    }
}
