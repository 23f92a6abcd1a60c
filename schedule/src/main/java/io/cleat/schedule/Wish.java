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
record Wish(
        int index,
        Optional<AllocationRow> previous,
        Optional<Ending> ending,
        boolean rescheduled,
        Duration waited,
        boolean canary,
        Optional<JobVersionRow> olderVersion) {
    /** Why the one that is replaced is stopped, and whether its node is gone. */
    record Ending(String why, boolean lost) {}

    static Wish fresh(int index) {
        return new Wish(index, Optional.empty(), Optional.empty(), false, Duration.ZERO, false, Optional.empty());
    }

    static Wish after(AllocationRow previous) {
        return new Wish(
                previous.index(),
                Optional.of(previous),
                Optional.empty(),
                false,
                Duration.ZERO,
                false,
                Optional.empty());
    }

    static Wish insteadOf(AllocationRow previous, Ending ending, boolean rescheduled, Duration waited) {
        return new Wish(
                previous.index(),
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

    Wish asCanary() {
        return new Wish(index, previous, ending, rescheduled, waited, true, olderVersion);
    }

    /** Runs by the version of the one it replaces: the newest is still tried, or has failed. */
    Wish byTheVersionOf(ClusterState state, AllocationRow replaced) {
        return new Wish(index, previous, ending, rescheduled, waited, canary, state.jobVersion(replaced.jobVersion()));
    }
}
