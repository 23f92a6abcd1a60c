package io.cleat.state;

import io.cleat.base.Since;

/**
 * How an operator has jobs placed. There is one at most; until somebody says something, {@link #USUAL} counts.
 *
 * @param algorithm which of the nodes with room is preferred
 * @param rejectsJobs whether jobs are refused, also new versions of known ones
 * @param paused whether evaluations wait, so that nothing is placed, moved or stopped
 */
public record SchedulingRow(
        Algorithm algorithm, boolean rejectsJobs, boolean paused, long createVersion, long modifyVersion)
        implements Row<SchedulingRow> {
    /** Which of the nodes with room is preferred. */
    public enum Algorithm {
        /** The fullest, so that large allocations still find room elsewhere. */
        @Since(Change.SCHEDULING_LEVEL)
        BINPACK,
        /** The emptiest, so that load and the loss of a node are shared. */
        @Since(Change.SCHEDULING_LEVEL)
        SPREAD
    }

    public static final SchedulingRow USUAL = new SchedulingRow(Algorithm.BINPACK, false, false, 0, 0);

    /** There is one. */
    String id() {
        return "";
    }

    @Override
    public SchedulingRow stamped(long newCreate, long newModify) {
        return new SchedulingRow(algorithm, rejectsJobs, paused, newCreate, newModify);
    }
}
