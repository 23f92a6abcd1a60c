package io.cleat.server.intake;

import io.cleat.base.LogTrouble;
import io.cleat.base.Refused;
import io.cleat.server.decide.DeleteEvaluations;
import java.util.List;

/** Requests about evaluations. Any thread. */
public final class EvaluationRequests {
    private final Commits commits;

    EvaluationRequests(Commits commits) {
        this.commits = commits;
    }

    /**
     * Removes evaluations that nothing needs.
     *
     * @param ids at most {@link DeleteEvaluations#MOST}
     * @param leavesNeeded whether those that are needed are passed over; else none is removed for one that is
     */
    public Done<DeleteEvaluations.Reply> delete(List<String> ids, boolean leavesNeeded, Asked asked)
            throws Refused, LogTrouble, InterruptedException {
        return commits.commit(new DeleteEvaluations(ids, leavesNeeded), asked.deadline());
    }
}
