package io.cleat.server.decide;

import io.cleat.base.Refusal;
import io.cleat.server.commit.DecideContext;
import io.cleat.server.commit.Decision;
import io.cleat.state.Change;
import io.cleat.state.ClusterState;
import io.cleat.state.HoldingRow;
import io.cleat.state.OperationCall;
import io.cleat.state.OperationRow;
import io.cleat.state.OperationState;
import java.util.Optional;

/**
 * A call is about to be sent, in this reign. Written before it is sent.
 *
 * @param reign the number of the reign that sends it
 * @param nodeId where the instance runs that it is sent to
 * @param allocId the instance; another than before only if the call surely does not run there
 */
public record SendOperation(String operationId, long reign, String nodeId, String allocId)
        implements Command<SendOperation.Reply> {
    /** To be sent now. */
    public record Reply(OperationRow operation) {}

    @Override
    public Decision<Change, Reply> decide(ClusterState newest, DecideContext context) {
        Optional<OperationRow> found = newest.operations().get(operationId);
        if (found.isEmpty() || found.get().isDone()) {
            return Work.refuse(
                    new Refusal.NotFound("operation " + operationId + " is settled: there is nothing to send"));
        }
        OperationRow row = found.get();
        if (row.state() == OperationState.SENT) {
            return Work.refuse(new Refusal.Conflict(Words.operation(row, context.decidedAt())
                    + " is sent already; its node is asked whether it still runs"));
        }
        Optional<HoldingRow> unknown = heldBy(newest, row.call());
        if (unknown.isPresent()) {
            return Work.refuse(new Refusal.Conflict(Words.operation(row, context.decidedAt())
                    + " is not sent: "
                    + unknown.get().holder(newest)
                    + " holds the volume"));
        }
        Optional<OperationRow> inverse = inverse(newest, row);
        if (inverse.isPresent()) {
            return Work.refuse(new Refusal.Conflict(Words.operation(row, context.decidedAt())
                    + " is not sent again: "
                    + Words.operation(inverse.get(), context.decidedAt())
                    + " settles both"));
        }
        Work work = new Work(newest, context);
        OperationRow sent = row.through(nodeId, allocId)
                .sent(reign, CallProgress.sent(row, Words.node(newest, nodeId), work.now()), work.now());
        work.add(new Change.OperationPut(sent));
        return work.accept(new Reply(sent));
    }

    /** What would lose its volume by a call that was asked for before a recovery. */
    private static Optional<HoldingRow> heldBy(ClusterState state, OperationCall call) {
        return switch (call) {
            case OperationCall.Unpublish unpublish -> Holdings.on(state, unpublish.attachment());
            case OperationCall.Delete delete ->
                state.volume(delete.volume()).stream()
                        .flatMap(volume -> state.holdings().of(volume.key()).stream())
                        .findFirst();
            default -> Optional.empty();
        };
    }

    /**
     * The detach that was begun after an attaching of unknown effect, or the deletion of what a cancelled creation
     * made. Sent again, the first might do its work anew after that, for nobody.
     */
    private static Optional<OperationRow> inverse(ClusterState state, OperationRow row) {
        if (row.call() instanceof OperationCall.Create create) {
            return state.operations().of(create.spec().id()).stream()
                    .filter(other -> !other.isDone())
                    .filter(other -> other.call() instanceof OperationCall.Delete)
                    .findFirst();
        }
        if (!(row.call() instanceof OperationCall.Publish publish)) {
            return Optional.empty();
        }
        return state.operations().of(publish.volume()).stream()
                .filter(other -> !other.isDone())
                .filter(other -> other.call() instanceof OperationCall.Unpublish unpublish
                        && unpublish.attachment().equals(publish.attachment()))
                .findFirst();
    }
}
