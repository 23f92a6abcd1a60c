package io.cleat.schedule;

import io.cleat.state.AllocationRow;
import io.cleat.state.ClusterState;
import io.cleat.state.JobVersionRow;
import java.time.Duration;
import java.util.Optional;

/**
 * One allocation that is to be made.
 *
 * @param ending of the previous one, which goes on until then; empty if it has ended
 */
record PlacementRequest(
        int index,
        Optional<AllocationRow> previous,
        Optional<Ending> ending,
        boolean rescheduled,
        Duration waited,
        boolean canary,
        Optional<JobVersionRow> olderVersion) {
    /** Why the one that is replaced is stopped, and whether its node is gone. */
    record Ending(String why, boolean lost) {}

    static PlacementRequest fresh(int index) {
        return new PlacementRequest(
                index, Optional.empty(), Optional.empty(), false, Duration.ZERO, false, Optional.empty());
    }

    static PlacementRequest after(AllocationRow previous) {
        return new PlacementRequest(
                previous.identity().index(),
                Optional.of(previous),
                Optional.empty(),
                false,
                Duration.ZERO,
                false,
                Optional.empty());
    }

    static PlacementRequest insteadOf(AllocationRow previous, Ending ending, boolean rescheduled, Duration waited) {
        return new PlacementRequest(
                previous.identity().index(),
                Optional.of(previous),
                Optional.of(ending),
                rescheduled,
                waited,
                false,
                Optional.empty());
    }

    /** Whether its place depends on nothing but the group and the newest version. */
    boolean isLikeAnyOther() {
        return ending.isEmpty() && olderVersion.isEmpty();
    }

    PlacementRequest asCanary() {
        return new PlacementRequest(index, previous, ending, rescheduled, waited, true, olderVersion);
    }

    /** Runs by the version of the one it replaces: the newest is still tried, or has failed. */
    PlacementRequest byTheVersionOf(ClusterState state, AllocationRow replaced) {
        return new PlacementRequest(
                index, previous, ending, rescheduled, waited, canary, state.jobVersion(replaced.jobVersion()));
    }
}
