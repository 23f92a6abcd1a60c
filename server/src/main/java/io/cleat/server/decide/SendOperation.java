package io.cleat.server.decide;

import io.cleat.base.Refusal;
import io.cleat.model.BlockedBy;
import io.cleat.server.commit.DecideContext;
import io.cleat.server.commit.Decision;
import io.cleat.state.Change;
import io.cleat.state.ClusterState;
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
        Optional<OperationRow> found = newest.operation(operationId);
        if (found.isEmpty() || found.get().isDone()) {
            return Work.refuse(
                    new Refusal.NotFound(
                            "operation " + operationId + " is settled: there is nothing to send"));
        }
        OperationRow row = found.get();
        if (row.state() == OperationState.SENT) {
            return Work.refuse(
                    new Refusal.Conflict(
                            Words.operation(row, context.decidedAt())
                                    + " is sent already; its node is asked whether it still runs"));
        }
        Work work = new Work(newest, context);
        OperationRow sent =
                row.through(nodeId, allocId)
                        .sent(
                                reign,
                                new BlockedBy(
                                        "call",
                                        "plugin "
                                                + row.pluginId()
                                                + " on "
                                                + Words.node(newest, nodeId),
                                        work.now(),
                                        null,
                                        "the plugin is working on "
                                                + OperationCall.csiName(row.call())),
                                work.now());
        work.add(new Change.OperationPut(sent));
        return work.accept(new Reply(sent));
    }
}
