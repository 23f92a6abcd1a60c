package io.cleat.server.intake;

import io.cleat.base.Deadline;
import io.cleat.base.LogTrouble;
import io.cleat.base.Refused;
import io.cleat.server.decide.CancelOperation;

/** Requests about plugins' calls that are not settled. Any thread. */
public final class OperationRequests {
    private final Commits commits;

    OperationRequests(Commits commits) {
        this.commits = commits;
    }

    /**
     * Has a call undone that makes or deletes a volume or a snapshot.
     *
     * @param by who asks, for the record
     */
    public Done<CancelOperation.Reply> cancel(String operationId, String by, Deadline deadline)
            throws Refused, LogTrouble, InterruptedException {
        return commits.commit(new CancelOperation(operationId, by), deadline);
    }
}
