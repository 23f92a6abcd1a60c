package io.cleat.server.decide;

import io.cleat.model.VolumeId;
import io.cleat.server.commit.DecideContext;
import io.cleat.server.commit.Decision;
import io.cleat.state.Change;
import io.cleat.state.ClusterState;
import io.cleat.state.HostVolumeRow;
import java.util.Optional;
import java.util.Set;

/**
 * A node has said how the making or deleting of a host volume ended.
 *
 * @param id as the row has it
 * @param isGone whether there is none; else it was not deleted, and stays
 */
public record EndHostVolume(VolumeId id, boolean isGone) implements Command<EndHostVolume.Reply> {
    /** Noted. */
    public record Reply() {}

    @Override
    public Decision<Change, Reply> decide(ClusterState newest, DecideContext context) {
        Work work = new Work(newest, context);
        Optional<HostVolumeRow> row = HostVolumeRow.find(newest, id);
        if (row.isPresent() && isGone && newest.claims().of(row.get().key()).isEmpty()) {
            work.add(new Change.HostVolumeRemoved(id));
        } else if (row.isPresent() && row.get().deleting()) {
            work.add(new Change.HostVolumePut(row.get().deleting(false, work.now())));
            Wakes.volumes(work, Set.of(row.get().key()));
        }
        return work.accept(new Reply());
    }
}
