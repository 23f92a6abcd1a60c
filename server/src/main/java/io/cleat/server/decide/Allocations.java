package io.cleat.server.decide;

import io.cleat.model.ClientStatus;
import io.cleat.model.DesiredStatus;
import io.cleat.state.AllocationDraft;
import io.cleat.state.AllocationRow;
import io.cleat.state.Change;
import io.cleat.state.ClaimRow;
import io.cleat.state.VolumeProgress;

/** Ends of allocations. */
final class Allocations {
    private Allocations() {}

    /**
     * Has an allocation stopped: its claims begin their release in the same entry.
     *
     * @param lost whether its node is gone, so that nothing more is heard of it
     */
    static void stop(Work work, AllocationRow allocation, String why, boolean lost) {
        AllocationDraft draft = allocation.edit().desired(DesiredStatus.STOP, why);
        if (lost && !allocation.isEnded()) {
            draft.status(ClientStatus.LOST, why);
        }
        work.add(new Change.AllocationPut(draft.done()));
        Claims.release(work, allocation);
    }

    /**
     * Whether the node's last word proves that nothing of this claim is left there: it says it is
     * unpublished, or no step was begun and none will be.
     */
    static boolean isLetGo(AllocationRow allocation, ClaimRow claim, boolean endedByNode) {
        VolumeProgress progress = allocation.volumes().get(claim.alias());
        if (progress == null || !progress.volume().equals(claim.volume())) {
            return false;
        }
        return switch (progress.phase()) {
            case UNPUBLISHED -> progress.epoch() == claim.epoch() || progress.epoch() == 0;
            case NONE -> endedByNode;
            case MOUNTING, PUBLISHED, UNMOUNTING -> false;
        };
    }
}
