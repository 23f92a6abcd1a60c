package io.cleat.state;

import io.cleat.model.VolumeId;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The calls to controllers of one image. */
public final class OperationRows {
    private final Table<String, OperationRow> table;

    OperationRows(Table<String, OperationRow> table) {
        this.table = table;
    }

    public Optional<OperationRow> get(String id) {
        return Optional.ofNullable(table.get(id));
    }

    public Collection<OperationRow> all() {
        return table.all();
    }

    /** The operations in a state, by id. */
    public List<OperationRow> in(OperationState state) {
        return table.find(Tables.OPERATIONS_BY_STATE, state);
    }

    /** Operations that an instance on this node makes, or made. */
    public List<OperationRow> onNode(String nodeId) {
        return table.find(Tables.OPERATIONS_BY_NODE, nodeId);
    }

    /** Operations about this volume, oldest first; also about one that is yet to be created. */
    public List<OperationRow> of(VolumeId id) {
        return table.find(Tables.OPERATIONS_BY_VOLUME, id).stream()
                .sorted(Comparator.comparingLong(OperationRow::createVersion).thenComparing(OperationRow::id))
                .toList();
    }
}
