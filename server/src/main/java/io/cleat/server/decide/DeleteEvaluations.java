package io.cleat.server.decide;

import io.cleat.base.Refusal;
import io.cleat.base.TextRule;
import io.cleat.server.commit.DecideContext;
import io.cleat.server.commit.Decision;
import io.cleat.state.AllocationRow;
import io.cleat.state.Change;
import io.cleat.state.ClusterState;
import io.cleat.state.EvaluationRow;
import io.cleat.state.EvaluationStatus;
import io.cleat.state.JobRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Removes evaluations that nothing needs: ended ones of which no allocation is known any more, and open ones where what
 * they are for is done without them.
 *
 * @param ids at most {@link #MOST}
 * @param leavesNeeded whether those that are needed, or are not there, are passed over; else one of them is the reason
 *     to remove none
 */
public record DeleteEvaluations(List<String> ids, boolean leavesNeeded) implements Command<DeleteEvaluations.Reply> {
    /** How many go in one decision. */
    public static final int MOST = 500;

    /** How many reasons are said at once. */
    private static final int REASONS = 10;

    public DeleteEvaluations {
        ids = List.copyOf(ids);
    }

    /**
     * @param removed how many are gone
     * @param needed how many are there, and stay
     */
    public record Reply(int removed, int needed) {}

    @Override
    public Decision<Change, Reply> decide(ClusterState newest, DecideContext context) {
        if (ids.size() > MOST) {
            return Work.refuse(new Refusal.Invalid(ids.size()
                    + " evaluations are named, and at most "
                    + MOST
                    + " are deleted at once: name fewer, or give a filter"));
        }
        Work work = new Work(newest, context);
        List<String> reasons = new ArrayList<>();
        int removed = 0;
        int needed = 0;
        for (String id : ids) {
            Optional<EvaluationRow> row = work.state().evaluations().get(id);
            Optional<String> reason = row.isEmpty()
                    ? Optional.of("eval not found: " + TextRule.quoted(id))
                    : neededFor(work.state(), row.get());
            if (reason.isEmpty()) {
                work.add(new Change.EvaluationRemoved(id));
                removed++;
            } else {
                reasons.add(reason.get());
                needed += row.isPresent() ? 1 : 0;
            }
        }
        return reasons.isEmpty() || leavesNeeded
                ? work.accept(new Reply(removed, needed))
                : Work.refuse(refusal(reasons));
    }

    private static Refusal refusal(List<String> reasons) {
        List<String> said = new ArrayList<>(reasons.stream().limit(REASONS).toList());
        if (reasons.size() > REASONS) {
            said.add("and " + (reasons.size() - REASONS) + " more");
        }
        return new Refusal.Invalid(said);
    }

    /** Why it stays; empty if nothing needs it. */
    private static Optional<String> neededFor(ClusterState state, EvaluationRow row) {
        return switch (row.status()) {
            case COMPLETE, FAILED, CANCELED ->
                state.allocationsOfEvaluation(row.id()).stream().findFirst().map(allocation -> placed(row, allocation));
            case BLOCKED ->
                isWanted(state, row) && !isDoneWithout(state, row)
                        ? Optional.of(waiting(row, "places what job %s lacks once there is room"))
                        : Optional.empty();
            case PENDING ->
                isDoneWithout(state, row)
                        ? Optional.empty()
                        : Optional.of(waiting(row, "has yet to be run for job %s"));
        };
    }

    private static String placed(EvaluationRow row, AllocationRow allocation) {
        return "evaluation "
                + row.id()
                + " placed allocation "
                + allocation.id()
                + ", which is still known: it can go once that has gone";
    }

    private static String waiting(EvaluationRow row, String what) {
        return "evaluation "
                + row.id()
                + " is "
                + row.status().wire()
                + ", and "
                + what.formatted(TextRule.quoted(row.job().id()))
                + ": it can go once another one of the job is open, or this one has ended";
    }

    /** Whether there is a job for which something may be placed. */
    private static boolean isWanted(ClusterState state, EvaluationRow row) {
        return state.job(row.job()).filter(job -> !job.stop()).map(JobRow::id).isPresent();
    }

    /** Whether another run of the scheduler, at once or likewise later, does the same. */
    private static boolean isDoneWithout(ClusterState state, EvaluationRow row) {
        return state.evaluations().ofJob(row.job()).stream()
                .filter(other -> !other.id().equals(row.id()))
                .anyMatch(other -> isDue(other)
                        || (row.status() == EvaluationStatus.BLOCKED && other.status() == EvaluationStatus.BLOCKED));
    }

    private static boolean isDue(EvaluationRow row) {
        return row.status() == EvaluationStatus.PENDING && row.waitUntil() == null;
    }
}
