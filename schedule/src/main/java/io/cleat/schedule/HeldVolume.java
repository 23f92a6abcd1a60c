package io.cleat.schedule;

import io.cleat.model.BlockedBy;
import io.cleat.model.JobId;
import io.cleat.model.VolumeId;
import io.cleat.state.AllocationRow;
import io.cleat.state.ClaimRow;
import io.cleat.state.ClaimState;
import io.cleat.state.ClusterState;
import io.cleat.state.NodeRow;
import io.cleat.state.NodeStatus;
import io.cleat.state.VolumeLabel;
import java.time.Instant;
import java.util.Optional;

/** The words of who waits for a volume that another claim holds: the same wherever it is told. */
public final class HeldVolume {
    private HeldVolume() {}

    /**
     * Who holds the volume, since when, and what happens next.
     *
     * @param waits the job that waits
     * @param then what happens to it by itself, such as {@code it is placed}
     */
    public static BlockedBy blockedBy(
            ClusterState state, VolumeId volume, ClaimRow holder, JobId waits, String then, Instant now) {
        Optional<JobId> job = state.allocation(holder.allocId()).map(AllocationRow::job);
        return new BlockedBy(
                "claim",
                "volume "
                        + VolumeLabel.of(state, volume)
                        + ", held by allocation "
                        + holder.allocId()
                        + job.map(id -> " of job " + name(id, waits)).orElse(", whose job is gone,")
                        + " on node "
                        + nodeName(state, holder.nodeId())
                        + (holder.state() == ClaimState.RELEASING ? ", which has been letting it go since " : " since ")
                        + holder.since(),
                now,
                null,
                then
                        + " by itself once "
                        + (holder.state() == ClaimState.RELEASING
                                ? releasing(state, holder)
                                : "that claim is released"
                                        + job.filter(id -> !id.equals(waits))
                                                .map(id -> "; to have it sooner, stop that job")
                                                .orElse("")));
    }

    private static String releasing(ClusterState state, ClaimRow holder) {
        String name = nodeName(state, holder.nodeId());
        Optional<NodeRow> away = state.node(holder.nodeId()).filter(node -> node.status() != NodeStatus.READY);
        return away.isEmpty()
                ? "node " + name + " has unmounted it and says so"
                : "node "
                        + name
                        + ", "
                        + away.get().status().wire()
                        + " since "
                        + away.get().statusSince()
                        + ", is back and has unmounted it, or has booted anew; if the machine is off"
                        + " for good, an operator frees it with volume detach -abandon";
    }

    private static String nodeName(ClusterState state, String nodeId) {
        return state.node(nodeId).map(NodeRow::name).orElse(nodeId);
    }

    /** With its namespace where that is another. */
    private static String name(JobId job, JobId seenFrom) {
        return job.namespace().equals(seenFrom.namespace()) ? job.id() : job.toString();
    }
}
