package io.cleat.state;

import org.jspecify.annotations.Nullable;
import org.pcollections.TreePMap;

/**
 * What allocations that have not ended use of each node that has some; kept with each change of an allocation.
 * Immutable.
 */
record NodeUses(TreePMap<String, NodeUse> byNode) {
    static final NodeUses NONE = new NodeUses(TreePMap.empty());

    NodeUse of(String nodeId) {
        return byNode.getOrDefault(nodeId, NodeUse.NONE);
    }

    /**
     * Once an allocation has changed.
     *
     * @param old null if it is new
     * @param row null if it goes
     */
    NodeUses moved(@Nullable AllocationRow old, @Nullable AllocationRow row) {
        if (old != null && row != null && isAlike(old, row)) {
            return this;
        }
        TreePMap<String, NodeUse> moved = byNode;
        if (old != null && !old.isEnded()) {
            NodeUse rest = of(old.nodeId()).minus(old);
            moved = rest.allocations() == 0 ? moved.minus(old.nodeId()) : moved.plus(old.nodeId(), rest);
        }
        if (row != null && !row.isEnded()) {
            NodeUse before = moved.getOrDefault(row.nodeId(), NodeUse.NONE);
            moved = moved.plus(row.nodeId(), before.plus(row));
        }
        return new NodeUses(moved);
    }

    /** Whether it uses the same, as most changes of an allocation leave it: reports of how it is. */
    private static boolean isAlike(AllocationRow old, AllocationRow row) {
        return old.isEnded() == row.isEnded()
                && old.nodeId().equals(row.nodeId())
                && old.placed().resources().equals(row.placed().resources())
                && old.placed().diskMb() == row.placed().diskMb();
    }
}
