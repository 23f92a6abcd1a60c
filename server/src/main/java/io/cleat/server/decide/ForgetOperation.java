package io.cleat.server.decide;

import io.cleat.server.commit.DecideContext;
import io.cleat.server.commit.Decision;
import io.cleat.state.Change;
import io.cleat.state.ClusterState;
import io.cleat.state.OperationRow;

/** Whoever waited for a settled call has read how it ended. */
public record ForgetOperation(String operationId) implements Command<ForgetOperation.Reply> {
    /** Forgotten, or not settled yet. */
    public record Reply() {}

    @Override
    public Decision<Change, Reply> decide(ClusterState newest, DecideContext context) {
        Work work = new Work(newest, context);
        if (newest.operation(operationId).filter(OperationRow::isDone).isPresent()) {
            work.add(new Change.OperationRemoved(operationId));
        }
        return work.accept(new Reply());
    }
}
