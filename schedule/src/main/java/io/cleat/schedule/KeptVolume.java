package io.cleat.schedule;

import io.cleat.model.BlockedBy;
import io.cleat.model.JobId;
import io.cleat.model.VolumeId;
import io.cleat.model.VolumeRequest;
import io.cleat.state.ClusterState;
import io.cleat.state.HostVolumeRow;
import io.cleat.state.NodeRow;
import io.cleat.state.NodeStatus;
import io.cleat.state.StickyClaimRow;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Predicate;

/** The host volume that allocations of one name come back to, where their group keeps it. */
public final class KeptVolume {
    private KeptVolume() {}

    /**
     * The claim of the volume that the next allocation of a name gets: that which was used last, of those that nobody
     * uses now. Empty if there is none, and it may be any. A canary that nobody has promoted has another than the
     * allocation beside which it runs, and neither comes back to that of the other.
     *
     * @param canary whether it is for one
     * @param goes of allocations, by id, that give theirs up though they do not look like it yet
     */
    public static Optional<StickyClaimRow> of(
            ClusterState state,
            JobId job,
            String group,
            String allocName,
            boolean canary,
            VolumeRequest request,
            Predicate<String> goes) {
        return request.isSticky()
                ? state.stickyClaims().of(job, group, allocName, request.source()).stream()
                        .filter(claim -> claim.isFree(state) || goes.test(claim.allocId()))
                        .filter(claim -> isOfCanary(state, claim) == canary)
                        .reduce((older, newer) -> newer)
                : Optional.empty();
    }

    private static boolean isOfCanary(ClusterState state, StickyClaimRow claim) {
        return state.allocation(claim.allocId())
                .filter(state.deployments()::isUnpromoted)
                .isPresent();
    }

    /**
     * Why an allocation of the job waits that comes back to the volume: for its node.
     *
     * @param goes as of {@link #of}
     * @return empty if no group of the job keeps it, or the node is there
     */
    static Optional<BlockedBy> blockedBy(
            ClusterState state, VolumeId volume, JobId job, Predicate<String> goes, Instant now) {
        Optional<HostVolumeRow> row = HostVolumeRow.find(state, volume);
        Optional<StickyClaimRow> claim = state.stickyClaims().ofVolume(volume).stream()
                .filter(each -> each.job().equals(job))
                .filter(each -> each.isFree(state) || goes.test(each.allocId()))
                .findFirst();
        if (row.isEmpty() || claim.isEmpty()) {
            return Optional.empty();
        }
        Optional<NodeRow> node = state.node(row.get().spec().nodeId());
        if (node.filter(NodeRow::isSchedulable).isPresent()) {
            return Optional.empty();
        }
        return Optional.of(new BlockedBy(
                "place",
                "node "
                        + node.map(NodeRow::name).orElse(row.get().spec().nodeId())
                        + ", which "
                        + node.map(KeptVolume::howItIs).orElse("is not known any more")
                        + ": allocation "
                        + claim.get().allocName()
                        + " keeps its host volume "
                        + row.get().spec().name()
                        + " (sticky)",
                now,
                null,
                "it is placed by itself once that node takes allocations again; to have it"
                        + " placed elsewhere, without what is in that volume: cleat volume"
                        + " claim delete "
                        + claim.get().id()));
    }

    private static String howItIs(NodeRow node) {
        return node.status() == NodeStatus.READY
                ? "takes nothing new"
                : "is " + node.status().wire();
    }
}
