package io.cleat.server.decide;

import io.cleat.model.JobId;
import io.cleat.state.Change;
import io.cleat.state.EvaluationRow;
import io.cleat.state.EvaluationStatus;
import io.cleat.state.JobRow;
import io.cleat.state.Remainder;
import io.cleat.state.Trigger;
import java.util.List;

/** Evaluations that follow from what happens. */
final class Evaluations {
    private static final int MOST_BLOCKED = 100;

    private Evaluations() {}

    /**
     * Has the job evaluated. One that is due anyway serves, but counts as changed: a plan that was made for it before
     * did not see what happens now.
     *
     * @return the id of the evaluation
     */
    static String evaluate(Work work, JobRow job, Trigger trigger, String nodeId, NewIds ids) {
        EvaluationRow due = work.state().evaluations().ofJob(job.id()).stream()
                .filter(e -> e.status() == EvaluationStatus.PENDING)
                .filter(e -> e.waitUntil() == null)
                .findFirst()
                .orElseGet(() ->
                        EvaluationRow.pending(ids.next(), job, job.spec().priority(), trigger, nodeId, work.now()));
        work.add(new Change.EvaluationPut(due));
        return due.id();
    }

    /**
     * Cancels the job's evaluations that wait for room or a volume. There are few: each plan cancels those before it.
     */
    static void cancelBlocked(Work work, JobId job, String exceptId, String why) {
        List<String> ids = work.state().evaluations().ofJob(job).stream()
                .filter(row -> row.status() == EvaluationStatus.BLOCKED)
                .map(EvaluationRow::id)
                .filter(id -> !id.equals(exceptId))
                .limit(MOST_BLOCKED)
                .toList();
        if (!ids.isEmpty()) {
            work.add(new Change.EvaluationsMoved(ids, EvaluationStatus.CANCELED, why));
        }
    }

    /** Cancels all of the job's evaluations that wait for something, be it a time. */
    static void cancelWaiting(Work work, JobId job, String why) {
        if (!cancelSome(work, job, why, work.version())) {
            Remainders.leave(work, new Remainder.CancelWaiting(job, why));
        }
    }

    /**
     * Cancels as many as there is room for.
     *
     * @param since those that were made by then are not concerned
     * @return whether these were all
     */
    static boolean cancelSome(Work work, JobId job, String why, long since) {
        int most = work.roomFor(Wakes.BYTES);
        List<String> ids = work.state().evaluations().ofJob(job).stream()
                .filter(row -> row.createVersion() < since && waits(row))
                .map(EvaluationRow::id)
                .limit(most + 1L)
                .toList();
        List<String> now = ids.subList(0, Math.min(most, ids.size()));
        if (!now.isEmpty()) {
            work.add(new Change.EvaluationsMoved(now, EvaluationStatus.CANCELED, why));
        }
        return now.size() == ids.size();
    }

    private static boolean waits(EvaluationRow row) {
        return row.status() == EvaluationStatus.BLOCKED
                || (row.status() == EvaluationStatus.PENDING && row.waitUntil() != null);
    }
}
