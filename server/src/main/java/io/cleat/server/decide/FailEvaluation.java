package io.cleat.server.decide;

import io.cleat.base.VisibleText;
import io.cleat.server.commit.DecideContext;
import io.cleat.server.commit.Decision;
import io.cleat.state.Change;
import io.cleat.state.ClusterState;
import io.cleat.state.EvaluationStatus;

/**
 * An evaluation could not be planned, by a fault of our own. It has failed, so that it stands in nobody's way; its job
 * is as it was, and is evaluated anew when something changes or somebody asks.
 *
 * @param why shown as the evaluation's description
 */
public record FailEvaluation(String evalId, String why) implements Command<FailEvaluation.Reply> {
    /** What is kept of a text that may be as long as a stack. */
    private static final int LONGEST = 1000;

    private static final String WHAT_TO_DO =
            "internal error, see the server's log; correct the job, or evaluate it again: ";

    /** Failed, or it was not pending any more. */
    public record Reply() {}

    @Override
    public Decision<Change, Reply> decide(ClusterState newest, DecideContext context) {
        Work work = new Work(newest, context);
        String words = VisibleText.lines(VisibleText.head(why, LONGEST));
        newest.evaluations()
                .get(evalId)
                .filter(row -> row.status() == EvaluationStatus.PENDING)
                .ifPresent(row -> work.add(
                        new Change.EvaluationPut(row.status(EvaluationStatus.FAILED, WHAT_TO_DO + words, work.now()))));
        return work.accept(new Reply());
    }
}
