package io.cleat.state;

import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** What nodes hold for allocations that the cluster of one image does not know. */
public final class HoldingRows {
    private final Table<HoldingId, HoldingRow> table;

    HoldingRows(Table<HoldingId, HoldingRow> table) {
        this.table = table;
    }

    public Collection<HoldingRow> all() {
        return table.all();
    }

    public Optional<HoldingRow> get(HoldingId id) {
        return Optional.ofNullable(table.get(id));
    }

    /** What holds the provider's volume besides claims. */
    public List<HoldingRow> of(VolumeKey key) {
        return table.find(Tables.HOLDINGS_BY_KEY, key);
    }

    public List<HoldingRow> onNode(String nodeId) {
        return table.find(Tables.HOLDINGS_BY_NODE, nodeId);
    }
}
