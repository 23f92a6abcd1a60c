package io.cleat.server.decide;

import io.cleat.base.Effect;
import io.cleat.base.Refusal;
import io.cleat.server.commit.DecideContext;
import io.cleat.server.commit.Decision;
import io.cleat.state.Change;
import io.cleat.state.ClusterState;
import io.cleat.state.OperationCall;
import io.cleat.state.OperationOutcome;
import io.cleat.state.OperationRow;
import io.cleat.state.OperationState;
import java.util.Optional;

/**
 * A person wants a call undone that makes or deletes a volume or a snapshot. One that was never sent ends here. What
 * became of another is learned by making it again, which CSI promises to be harmless; what it made is then deleted. Its
 * name is free once that is settled.
 *
 * @param by who asks, for the record
 */
public record CancelOperation(String operationId, String by) implements Command<CancelOperation.Reply> {
    /** @param message what became of it, or is done next */
    public record Reply(String message) {}

    @Override
    public Decision<Change, Reply> decide(ClusterState newest, DecideContext context) {
        Optional<OperationRow> found = newest.operations().get(operationId).filter(operation -> !operation.isDone());
        if (found.isEmpty()) {
            return Work.refuse(new Refusal.NotFound("operation "
                    + operationId
                    + " is settled, or there was none; list those that are not: cleat volume status"));
        }
        OperationRow row = found.get();
        String name = OperationCall.csiName(row.call()) + " of " + row.call().subject();
        Work work = new Work(newest, context);
        if (OperationCall.attachmentOf(row.call()) != null) {
            return Work.refuse(new Refusal.Conflict(name
                    + " follows from the allocations that claim the volume: stop them instead; by "
                    + "whom: cleat volume why"));
        }
        if (row.state() == OperationState.LOGGED && !row.wasUnknown()) {
            OperationOutcome ended = new OperationOutcome.Failed(
                    Effect.NONE, "", "cancelled by " + by + " before it was sent to the plugin");
            work.add(new Change.OperationPut(row.done(ended, work.now())));
            return work.accept(new Reply(name + " is cancelled: it was never sent to the plugin"));
        }
        if (!Cancelling.canBeUndone(row.call())) {
            return Work.refuse(new Refusal.Conflict(
                    name + " was sent to the plugin and cannot be undone; it ends when the plugin answers"));
        }
        if (context.featureLevel() < Change.PAST_LEVEL) {
            return Work.refuse(new Refusal.Conflict(
                    "a server of an earlier release cannot read that a call is cancelled: update all servers first"));
        }
        if (!row.past().cancelling()) {
            Cancelling.begin(work, row);
        }
        return work.accept(new Reply(name + " is being cancelled: " + Cancelling.next(row.call())));
    }
}
