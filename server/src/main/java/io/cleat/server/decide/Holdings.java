package io.cleat.server.decide;

import io.cleat.state.AttachmentId;
import io.cleat.state.Change;
import io.cleat.state.ClusterState;
import io.cleat.state.HoldingId;
import io.cleat.state.HoldingRow;
import io.cleat.state.VolumeKey;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What nodes hold for allocations that this cluster does not know. */
public final class Holdings {
    private Holdings() {}

    /** What holds the provider's volume on that node; empty if nothing does but claims. */
    public static Optional<HoldingRow> on(ClusterState state, AttachmentId attachment) {
        return state.holdings().of(attachment.key()).stream()
                .filter(row -> row.id().nodeId().equals(attachment.nodeId()))
                .findFirst();
    }

    /**
     * Lets go what nodes hold no more, and hands the volumes on; as many as there is room for.
     *
     * @return whether these were all
     */
    static boolean free(Work work, List<HoldingRow> gone) {
        for (HoldingRow row : gone) {
            if (!work.hasRoom()) {
                return false;
            }
            work.add(new Change.HoldingRemoved(row.id()));
            VolumeKey key = row.id().key();
            if (work.state().holdings().of(key).isEmpty()) {
                detachLater(work, row.id());
                Claims.handOn(work, Set.of(key));
            }
        }
        return true;
    }

    /** Another node may not have the volume before it is detached from this one. */
    private static void detachLater(Work work, HoldingId gone) {
        work.state().volumesWithKey(gone.key()).stream()
                .findFirst()
                .ifPresent(volume -> Attachments.detachUnknown(
                        work, volume, gone.nodeId(), "it was attached before the recovery, and is detached"));
    }
}
