package io.cleat.server.commit;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One entry of a stored log, as a person sees it. Holds no values of rows.
 *
 * @param index its place in the log
 * @param term of the log library's leadership
 * @param kind {@code reign}, {@code decisions}, {@code digest}, {@code log} for the library's own, {@code unreadable}
 * @param reign the id of the leadership that wrote it; empty if that cannot be read
 * @param number its place in the reign; null if it has none
 * @param version number of its last decision, or of the image digested; null if it has none
 * @param decidedAt RFC 3339; null if it has none
 * @param changes of all its decisions
 * @param bytes how large it is
 * @param problem why it cannot be read or applied; null if it can, or if that was not tried
 */
public record InspectedEntry(
        long index,
        long term,
        String kind,
        String reign,
        @Nullable Long number,
        @Nullable Long version,
        @Nullable String decidedAt,
        List<Row> changes,
        int bytes,
        @Nullable String problem) {
    /**
     * One change.
     *
     * @param kind such as {@code JobPut}
     * @param key of the row; for a kept request its id
     */
    public record Row(String kind, String key) {}

    public InspectedEntry {
        changes = List.copyOf(changes);
    }

    /** The same with a problem. */
    InspectedEntry but(String found) {
        return new InspectedEntry(index, term, kind, reign, number, version, decidedAt, changes, bytes, found);
    }
}
