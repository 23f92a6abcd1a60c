package io.cleat.state;

import io.cleat.model.AccessMode;
import io.cleat.model.JobId;
import io.cleat.model.VolumeModes;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Whether a volume can be claimed now, by an allocation of a job on a node. */
public sealed interface Fit {
    /**
     * It can.
     *
     * @param modes the effective ones
     */
    record Free(VolumeModes modes) implements Fit {}

    /** Only allocations of the claiming job are in the way; they will go. */
    record BehindOwn(ClaimRow holder) implements Fit {}

    /** Somebody else is in the way. */
    record Held(ClaimRow holder, String why) implements Fit {}

    /**
     * It cannot be claimed like this at all, whoever holds it.
     *
     * @param hint what has to change for that
     */
    record Unusable(String why, String hint) implements Fit {}

    /**
     * What claiming the volume comes to.
     *
     * @param wanted the modes asked for
     * @param self an allocation whose own claims do not count
     */
    static Fit of(
            ClusterState state,
            Claimable volume,
            VolumeModes wanted,
            boolean readOnly,
            String nodeId,
            JobId job,
            String self) {
        Optional<Unusable> unusable = unusable(state, volume, wanted, readOnly);
        if (unusable.isPresent()) {
            return unusable.get();
        }
        List<ClaimRow> holders = state.claims().of(volume.key()).stream()
                .filter(claim -> claim.holds() && !claim.allocId().equals(self))
                .toList();
        if (holders.isEmpty()) {
            return new Free(wanted);
        }
        VolumeModes current = holders.stream()
                .min(Comparator.comparingLong(ClaimRow::epoch))
                .map(ClaimRow::modes)
                .orElse(wanted);
        List<ClaimRow> inTheWay = holders.stream()
                .filter(claim -> volume instanceof HostVolumeRow
                        ? isInTheWay(claim, wanted, readOnly)
                        : isInTheWay(claim, current, wanted, readOnly, nodeId))
                .toList();
        if (inTheWay.isEmpty()) {
            return new Free(volume instanceof HostVolumeRow ? wanted : current);
        }
        Optional<ClaimRow> foreign = inTheWay.stream()
                .filter(claim -> !state.allocation(claim.allocId())
                        .map(AllocationRow::job)
                        .equals(Optional.of(job)))
                .findFirst();
        return foreign.<Fit>map(claim -> new Held(claim, why(current, wanted, claim, nodeId)))
                .orElseGet(() -> new BehindOwn(inTheWay.getFirst()));
    }

    /** What stands against claiming the volume like this on any node, whoever holds it. */
    static Optional<Unusable> unusable(ClusterState state, Claimable volume, VolumeModes wanted, boolean readOnly) {
        if (!volume.capabilities().contains(wanted)) {
            return Optional.of(new Unusable(
                    "it was not registered with the capability "
                            + wanted.access().wire()
                            + ", "
                            + wanted.attachment().wire(),
                    "register the volume with it, or change the job's access_mode or attachment_mode to one of: "
                            + volume.capabilities().stream()
                                    .map(has -> has.access().wire()
                                            + ", "
                                            + has.attachment().wire())
                                    .sorted()
                                    .collect(Collectors.joining("; "))));
        }
        if (!readOnly && !wanted.access().allowsWriting()) {
            return Optional.of(new Unusable(
                    "the access mode " + wanted.access().wire() + " allows no writing",
                    "set read_only = true in the job's volume block, or use another access_mode"));
        }
        List<HoldingRow> unknown = HoldingRow.unknown(state, volume.key());
        if (!unknown.isEmpty()) {
            return Optional.of(new Unusable(
                    unknown.getFirst().holder(state) + " holds it since before the recovery",
                    "it is free once the node says that it is gone"));
        }
        if (volume instanceof HostVolumeRow row && row.deleting()) {
            return Optional.of(new Unusable("it is being deleted", "create it again once it is gone"));
        }
        return state.operations().of(volume.id()).stream()
                .filter(operation -> !operation.isDone())
                .filter(operation -> operation.call() instanceof OperationCall.Delete)
                .findFirst()
                .map(operation -> new Unusable(
                        "it is being deleted: operation " + operation.id(),
                        "create or register it again once it is gone"));
    }

    /**
     * Of a host volume, which is on one node and nobody stages: each claim uses it in its own mode, and one that is to
     * write alone is in the way of each other that writes.
     */
    private static boolean isInTheWay(ClaimRow claim, VolumeModes wanted, boolean readOnly) {
        AccessMode alone = AccessMode.SINGLE_NODE_SINGLE_WRITER;
        return (wanted.access() == alone || claim.modes().access() == alone) && !readOnly && !claim.readOnly();
    }

    private static boolean isInTheWay(
            ClaimRow claim, VolumeModes current, VolumeModes wanted, boolean readOnly, String nodeId) {
        if (current.attachment() != wanted.attachment()) {
            return true;
        }
        if (current.access().isSingleNode() && !claim.nodeId().equals(nodeId)) {
            return true;
        }
        return switch (current.access()) {
            case SINGLE_NODE_READER_ONLY -> true;
            case SINGLE_NODE_WRITER -> readOnly || !claim.readOnly();
            case MULTI_NODE_READER_ONLY -> !readOnly;
            case MULTI_NODE_SINGLE_WRITER, SINGLE_NODE_SINGLE_WRITER -> !readOnly && !claim.readOnly();
            case MULTI_NODE_MULTI_WRITER, SINGLE_NODE_MULTI_WRITER -> false;
        };
    }

    private static String why(VolumeModes current, VolumeModes wanted, ClaimRow claim, String nodeId) {
        if (current.attachment() != wanted.attachment()) {
            return "cannot change attachment mode of claimed volume";
        }
        if (current.access().isSingleNode() && !claim.nodeId().equals(nodeId)) {
            return "its mode " + current.access().wire() + " keeps it on one node";
        }
        return "volume max claims reached";
    }
}
