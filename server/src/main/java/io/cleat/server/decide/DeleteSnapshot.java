package io.cleat.server.decide;

import io.cleat.base.Refusal;
import io.cleat.model.ControllerCapability;
import io.cleat.server.commit.DecideContext;
import io.cleat.server.commit.Decision;
import io.cleat.state.Change;
import io.cleat.state.ClusterState;
import io.cleat.state.Encrypted;
import io.cleat.state.OperationCall;
import io.cleat.state.OperationRow;
import java.util.Optional;

/**
 * Has a plugin delete a snapshot.
 *
 * @param secrets for the call
 * @param operationId a fresh id
 */
public record DeleteSnapshot(String pluginId, String snapshotId, Encrypted secrets, String operationId)
        implements Command<VolumeReply> {
    @Override
    public Decision<Change, VolumeReply> decide(ClusterState newest, DecideContext context) {
        Optional<Refusal> missing = VolumeRules.pluginMissing(newest, pluginId);
        if (missing.isPresent()) {
            return Work.refuse(missing.get());
        }
        Optional<OperationRow> busy = newest.operations().all().stream()
                .filter(row -> !row.isDone() && row.pluginId().equals(pluginId))
                .filter(row -> row.call() instanceof OperationCall.DeleteSnapshot other
                        && other.snapshotId().equals(snapshotId))
                .findFirst();
        if (busy.isPresent()) {
            return Work.refuse(Operations.busy(busy.get(), "snapshot " + snapshotId, context.decidedAt()));
        }
        return Operations.start(
                new Work(newest, context),
                operationId,
                pluginId,
                ControllerCapability.CREATE_DELETE_SNAPSHOT,
                "deleting snapshots",
                new OperationCall.DeleteSnapshot(snapshotId, secrets));
    }
}
