package io.cleat.state;

import java.util.Collection;
import java.util.Optional;
import java.util.stream.Stream;

/** The requests of one image whose replies are kept. */
public final class RequestRows {
    private final Table<String, RequestRow> table;

    RequestRows(Table<String, RequestRow> table) {
        this.table = table;
    }

    public Optional<RequestRow> get(String id) {
        return Optional.ofNullable(table.get(id));
    }

    public Collection<RequestRow> all() {
        return table.all();
    }

    /** Oldest first. */
    public Stream<RequestRow> oldest() {
        return table.between(Tables.REQUESTS_BY_AGE, 0L, Long.MAX_VALUE);
    }
}
