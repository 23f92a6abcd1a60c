package io.cleat.state;

import java.util.Comparator;

/**
 * What holds a provider's volume on a node.
 *
 * @param allocId empty for what is staged and used by none
 * @param alias of the volume in the allocation; empty likewise
 */
public record HoldingId(String nodeId, VolumeKey key, String allocId, String alias) implements Comparable<HoldingId> {
    private static final Comparator<HoldingId> ORDER = Comparator.comparing(HoldingId::nodeId)
            .thenComparing(HoldingId::key)
            .thenComparing(HoldingId::allocId)
            .thenComparing(HoldingId::alias);

    /** Whether a claim stands for it: then that says what becomes of it. */
    public boolean isClaimed(ClusterState state) {
        if (!allocId.isEmpty()) {
            return state.claims()
                    .get(new ClaimId(allocId, alias))
                    .filter(this::isOf)
                    .isPresent();
        }
        return state.claims().of(key).stream().anyMatch(this::isOf);
    }

    private boolean isOf(ClaimRow claim) {
        return claim.holds() && claim.key().equals(key) && claim.nodeId().equals(nodeId);
    }

    @Override
    public int compareTo(HoldingId other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return key + " on " + nodeId + (allocId.isEmpty() ? "" : " by " + allocId + "/" + alias);
    }
}
