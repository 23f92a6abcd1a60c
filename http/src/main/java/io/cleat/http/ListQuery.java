package io.cleat.http;

import io.cleat.api.Answer;
import io.cleat.api.AnswerMeta;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Function;

/**
 * Which part of a list is wanted.
 *
 * @param prefix of the id; empty for all
 * @param filter what each item's whole object must satisfy
 * @param perPage how many items at most; 0 for all
 * @param nextToken the token of the first item wanted; empty for the first of all
 * @param reverse whether the list runs backwards
 */
public record ListQuery(
        ReadQuery read,
        String prefix,
        Filter filter,
        int perPage,
        String nextToken,
        boolean reverse) {
    /** All of a namespace, at once. */
    public static ListQuery all(String namespace) {
        return new ListQuery(ReadQuery.now(namespace), "", Filter.ALL, 0, "", false);
    }

    /**
     * The token of a row in a list that is ordered by creation: as texts, such tokens are in that
     * order too.
     */
    public static String creationToken(long createIndex, String id) {
        String digits = String.valueOf(createIndex);
        return "0".repeat(Math.max(0, 19 - digits.length())) + digits + "." + id;
    }

    /**
     * One page of {@code rows}.
     *
     * @param rows in the order of the list (backwards if {@link #reverse}); may begin before {@link
     *     #nextToken}, and is read only as far as the page needs
     * @param token what names a row to the client, in the order of the rows
     * @param whole the whole object of a row, which the filter looks at
     * @param item what the list shows of a row
     */
    public <R, T> Answer<List<T>> page(
            Iterator<R> rows,
            Function<R, String> token,
            Function<R, ?> whole,
            Function<R, T> item,
            AnswerMeta meta) {
        List<T> items = new ArrayList<>();
        while (rows.hasNext()) {
            R row = rows.next();
            if (isBefore(token.apply(row)) || !filter.matches(() -> whole.apply(row))) {
                continue;
            }
            if (perPage > 0 && items.size() == perPage) {
                return new Answer<>(items, meta.withNextToken(token.apply(row)));
            }
            items.add(item.apply(row));
        }
        return new Answer<>(items, meta);
    }

    private boolean isBefore(String token) {
        if (nextToken.isEmpty()) {
            return false;
        }
        int order = token.compareTo(nextToken);
        return reverse ? order > 0 : order < 0;
    }
}
