package io.cleat.state;

import io.cleat.model.VariableId;
import java.util.Collection;
import java.util.Optional;

/** The variables of an image, in the order of namespace and path. */
public final class VariableRows {
    private final Table<VariableId, VariableRow> rows;

    VariableRows(Table<VariableId, VariableRow> rows) {
        this.rows = rows;
    }

    public Optional<VariableRow> find(VariableId id) {
        return Optional.ofNullable(rows.get(id));
    }

    public Collection<VariableRow> all() {
        return rows.all();
    }

    /** From the first whose id is not less than {@code id}. */
    public Collection<VariableRow> from(VariableId id) {
        return rows.from(id);
    }

    /** Backwards, from the last whose id is less than {@code id}. */
    public Collection<VariableRow> before(VariableId id) {
        return rows.before(id);
    }

    /** Those that somebody has locked, also those whose lock has lapsed and is in its delay. */
    public Collection<VariableRow> locked() {
        return rows.each(Tables.LOCKED_VARIABLES, true);
    }
}
