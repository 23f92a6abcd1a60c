package io.cleat.server.decide;

import io.cleat.model.ClientStatus;
import io.cleat.model.DesiredStatus;
import io.cleat.model.JobId;
import io.cleat.state.AllocationRow;
import io.cleat.state.Change;
import io.cleat.state.ClaimRow;
import io.cleat.state.Trigger;
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
        stop(work, allocation, allocation.desired(DesiredStatus.STOP, why), why, lost);
    }

    /** Likewise, so that another takes its place on another node. */
    static void migrate(Work work, AllocationRow allocation, String why) {
        AllocationRow stopped = allocation.desired(DesiredStatus.STOP, why);
        stop(work, allocation, work.reads(Change.ADDRESS_LEVEL) ? stopped.migrating() : stopped, why, false);
    }

    private static void stop(Work work, AllocationRow allocation, AllocationRow stopped, String why, boolean lost) {
        boolean isLost = lost && !allocation.isEnded();
        work.add(new Change.AllocationPut(isLost ? stopped.status(ClientStatus.LOST, why) : stopped));
        Claims.release(work, allocation);
        KeptVolumes.giveUp(work, allocation);
    }

    /**
     * Lets a job's tasks stop without their shutdown delay, as many as there is room for.
     *
     * @param since what was placed by then is not concerned
     * @return whether these were all
     */
    static boolean hurry(Work work, JobId job, long since) {
        for (AllocationRow row : work.state().allocationsOfJob(job)) {
            if (!row.isEnded() && !row.wanted().noShutdownDelay() && row.createVersion() < since) {
                if (!work.hasRoom()) {
                    return false;
                }
                work.add(new Change.AllocationPut(row.noShutdownDelay(true)));
            }
        }
        return true;
    }

    /**
     * Stops a job's failed allocations that wait for their turn, or have used up their attempts, so that they are
     * rescheduled: as many as there is room for.
     *
     * @param since what was placed by then is not concerned
     * @return whether these were all
     */
    static boolean stopFailed(Work work, JobId job, long since) {
        for (AllocationRow row : work.state().allocationsOfJob(job)) {
            boolean isConcerned = row.status() == ClientStatus.FAILED
                    && row.lineage().next().isEmpty()
                    && row.desired() != DesiredStatus.STOP
                    && row.createVersion() < since;
            if (isConcerned) {
                if (!work.hasRoom()) {
                    return false;
                }
                stop(work, row, "rescheduled on request", false);
            }
        }
        return true;
    }

    /** As {@link #stopFailed}, and has the job evaluated. */
    static boolean restart(Work work, JobId job, long since, NewIds ids) {
        boolean areAll = stopFailed(work, job, since);
        if (work.hasChanges()) {
            work.state().job(job).ifPresent(row -> Evaluations.evaluate(work, row, Trigger.JOB_REGISTER, "", ids));
        }
        return areAll;
    }

    /**
     * Whether the node's last word proves that nothing of this claim is left there: it says it is unpublished, or no
     * step was begun and none will be.
     */
    static boolean isLetGo(AllocationRow allocation, ClaimRow claim, boolean endedByNode) {
        VolumeProgress progress = allocation.seen().volumes().get(claim.alias());
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
