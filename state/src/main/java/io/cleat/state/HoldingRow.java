package io.cleat.state;

import java.time.Instant;
import java.util.List;

/**
 * A node holds a volume more than this cluster knows, as it said in a recovery: for an allocation that is not known,
 * whose volume nobody else is granted then; or for one whose claim does not know that the volume is attached. It is
 * detached from that node only once the node says that it is gone, or a person vouches for it.
 *
 * @param since when the node said so first
 */
public record HoldingRow(HoldingId id, Instant since, long createVersion, long modifyVersion)
        implements Row<HoldingRow> {
    @Override
    public HoldingRow stamped(long newCreate, long newModify) {
        return new HoldingRow(id, since, newCreate, newModify);
    }

    /** What holds a provider's volume without a claim that stands for it: nobody else may have it. */
    public static List<HoldingRow> unknown(ClusterState state, VolumeKey key) {
        return state.holdings().of(key).stream()
                .filter(row -> row.isUnknown(state))
                .toList();
    }

    /** Whether no claim stands for it. */
    public boolean isUnknown(ClusterState state) {
        return !id.isClaimed(state);
    }

    /** Who holds it, in words for people. */
    public String holder(ClusterState state) {
        String node = state.node(id.nodeId()).map(NodeRow::name).orElse(id.nodeId());
        return (id.allocId().isEmpty()
                        ? "it is staged on node " + node
                        : "allocation " + id.allocId() + " on node " + node)
                + (isUnknown(state) ? ", which this cluster does not know," : "");
    }
}
