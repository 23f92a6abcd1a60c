package io.cleat.api;

import java.util.List;

/**
 * Whether the cluster is in recovery: its servers do not know what its nodes have acted on.
 *
 * @param Description in words; empty if it is not
 * @param Nodes that have acted on what the servers do not know; none if it is not in recovery
 * @param NotHeard names of known nodes that have not said yet what they hold
 * @param Holdings volumes that nodes hold for allocations that the servers do not know, also after the recovery, until
 *     each node says that they are gone
 */
public record RecoveryState(
        boolean Active,
        String Description,
        List<RecoveryNode> Nodes,
        List<String> NotHeard,
        List<RecoveryHolding> Holdings) {}
