package io.cleat.server.decide;

import io.cleat.server.commit.DecideContext;
import io.cleat.server.commit.Decision;
import io.cleat.state.Change;
import io.cleat.state.ClusterState;
import io.cleat.state.OperationState;

/**
 * A sent call was lost sight of: its node says that it does not run there, or its instance is proved gone. Whether it
 * did its work is not known.
 *
 * @param why for people
 */
public record LoseOperation(String operationId, String why) implements Command<LoseOperation.Reply> {
    /** Taken in. */
    public record Reply() {}

    @Override
    public Decision<Change, Reply> decide(ClusterState newest, DecideContext context) {
        Work work = new Work(newest, context);
        newest.operations()
                .get(operationId)
                .filter(row -> row.state() == OperationState.SENT)
                .ifPresent(row -> Outcomes.unknown(work, row, why));
        return work.accept(new Reply());
    }
}
