package io.cleat.state;

import java.time.Instant;

/**
 * A node holds a volume for an allocation that this cluster does not know, as it said in a
 * recovery. Nobody else is granted the volume until the node says that it is gone, or a person
 * vouches for it.
 *
 * @param since when the node said so first
 */
public record HoldingRow(HoldingId id, Instant since, long createVersion, long modifyVersion)
        implements Row<HoldingRow> {
    @Override
    public HoldingRow stamped(long newCreate, long newModify) {
        return new HoldingRow(id, since, newCreate, newModify);
    }

    /** Who holds it, in words for people. */
    public String holder(ClusterState state) {
        String node = state.node(id.nodeId()).map(NodeRow::name).orElse(id.nodeId());
        return (id.allocId().isEmpty()
                        ? "it is staged on node " + node
                        : "allocation " + id.allocId() + " on node " + node)
                + ", which this cluster does not know,";
    }
}
