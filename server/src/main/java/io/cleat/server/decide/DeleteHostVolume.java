package io.cleat.server.decide;

import io.cleat.base.Refusal;
import io.cleat.model.HostVolumeNames;
import io.cleat.model.VolumeId;
import io.cleat.server.commit.DecideContext;
import io.cleat.server.commit.Decision;
import io.cleat.state.Change;
import io.cleat.state.ClaimRow;
import io.cleat.state.ClusterState;
import io.cleat.state.HostVolumeRow;
import io.cleat.state.NodeRow;
import io.cleat.state.VolumeLabel;
import java.util.List;
import java.util.Optional;

/**
 * Notes that a host volume is to be deleted, before its node is asked to: nobody claims it from then on. One whose node
 * is not known any more is forgotten with force.
 *
 * @param id as the row has it
 */
public record DeleteHostVolume(VolumeId id, boolean force) implements Command<HostVolumeReply> {
    /** How many allocations are named that use it. */
    private static final int NAMED = 5;

    @Override
    public Decision<Change, HostVolumeReply> decide(ClusterState newest, DecideContext context) {
        Optional<HostVolumeRow> found = HostVolumeRow.find(newest, id);
        if (found.isEmpty()) {
            return Work.refuse(new Refusal.NotFound("no such volume: " + HostVolumeNames.id(id)));
        }
        HostVolumeRow row = found.get();
        Optional<NodeRow> node = newest.node(row.spec().nodeId());
        List<ClaimRow> claims = newest.claims().of(row.key());
        boolean isLost = node.isEmpty() && force;
        if (!claims.isEmpty() && !isLost) {
            return Work.refuse(new Refusal.Conflict("volume "
                    + VolumeLabel.of(newest, row.id())
                    + " in use by allocations: "
                    + String.join(
                            ", ",
                            claims.stream()
                                    .map(ClaimRow::allocId)
                                    .distinct()
                                    .limit(NAMED)
                                    .toList())));
        }
        Optional<Refusal> kept = isLost ? Optional.empty() : KeptVolumes.inUse(newest, row);
        if (kept.isPresent()) {
            return Work.refuse(kept.get());
        }
        if (node.isEmpty() && !force) {
            return Work.refuse(new Refusal.Conflict("volume cannot be removed from unknown node without force=true"));
        }
        Work work = new Work(newest, context);
        if (isLost) {
            work.add(new Change.HostVolumeRemoved(id));
            Claims.free(work, claims);
            // Who waits for it cannot be told by its key any more.
            Wakes.all(work);
        } else {
            work.add(new Change.HostVolumePut(HostVolumeOrders.begun(work, row.deleting(true, work.now()), "")));
        }
        return work.accept(new HostVolumeReply(row.id(), isLost));
    }
}
