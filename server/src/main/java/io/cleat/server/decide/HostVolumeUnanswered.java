package io.cleat.server.decide;

import io.cleat.model.VolumeId;
import io.cleat.server.commit.DecideContext;
import io.cleat.server.commit.Decision;
import io.cleat.state.Change;
import io.cleat.state.ClusterState;
import io.cleat.state.HostVolumeRow;

/**
 * A node that was asked to make or delete a host volume has not answered, or does not know how it ended: it is asked
 * again, so often and no more.
 *
 * @param why in words, without what comes next
 * @param isOver whether asking again is of no use
 */
public record HostVolumeUnanswered(VolumeId id, String why, boolean isOver)
        implements Command<HostVolumeUnanswered.Reply> {
    /** Noted, if somebody still wants it. */
    public record Reply() {}

    @Override
    public Decision<Change, Reply> decide(ClusterState newest, DecideContext context) {
        Work work = new Work(newest, context);
        HostVolumeRow.find(newest, id).ifPresent(row -> {
            if (row.order() != null) {
                work.add(new Change.HostVolumePut(HostVolumeOrders.unanswered(work, row, row.order(), why, isOver)));
            }
        });
        return work.accept(new Reply());
    }
}
