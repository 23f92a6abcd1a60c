package io.cleat.server.decide;

import io.cleat.server.commit.DecideContext;
import io.cleat.server.commit.Decision;
import io.cleat.state.Change;
import io.cleat.state.ClusterState;
import io.cleat.state.OperationOutcome;
import io.cleat.state.OperationRow;

/**
 * How a call ended, as the node says. Said again, it changes nothing; and once its effect is unknown, only a success
 * says more.
 *
 * @param nodeId the node that says it; another one than the call was sent to is not believed
 * @param seed a fresh id
 */
public record EndOperation(String operationId, String nodeId, OperationOutcome outcome, String seed)
        implements Command<EndOperation.Reply> {
    /** Taken in, or known before. */
    public record Reply() {}

    @Override
    public Decision<Change, Reply> decide(ClusterState newest, DecideContext context) {
        Work work = new Work(newest, context);
        newest.operations()
                .get(operationId)
                .filter(row -> row.nodeId().equals(nodeId) && isNews(row))
                .ifPresent(row -> Outcomes.take(work, row, outcome, new NewIds(seed)));
        return work.accept(new Reply());
    }

    private boolean isNews(OperationRow row) {
        return switch (row.state()) {
            case SENT -> true;
            case UNKNOWN -> !(outcome instanceof OperationOutcome.Failed);
            case LOGGED, DONE -> false;
        };
    }
}
