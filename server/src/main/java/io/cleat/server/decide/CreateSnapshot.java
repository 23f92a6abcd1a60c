package io.cleat.server.decide;

import io.cleat.base.Ordered;
import io.cleat.base.Refusal;
import io.cleat.model.ControllerCapability;
import io.cleat.model.VolumeId;
import io.cleat.server.commit.DecideContext;
import io.cleat.server.commit.Decision;
import io.cleat.state.Change;
import io.cleat.state.ClusterState;
import io.cleat.state.Encrypted;
import io.cleat.state.OperationCall;
import io.cleat.state.OperationRow;
import io.cleat.state.VolumeRow;
import java.util.Map;
import java.util.Optional;

/**
 * Has a plugin make a snapshot of a volume. Snapshots are kept by their plugin, not here.
 *
 * @param name the same name of the same volume makes the same snapshot again
 * @param secrets for the call
 * @param operationId a fresh id
 */
public record CreateSnapshot(
        VolumeId volume, String name, Map<String, String> parameters, Encrypted secrets, String operationId)
        implements Command<VolumeReply> {
    public CreateSnapshot {
        parameters = Ordered.copyOf(parameters);
    }

    @Override
    public Decision<Change, VolumeReply> decide(ClusterState newest, DecideContext context) {
        Optional<VolumeRow> known = newest.volume(volume);
        if (known.isEmpty()) {
            return Work.refuse(new Refusal.NotFound("volume not found: " + volume.id()));
        }
        Optional<OperationRow> busy = Operations.inFlight(newest, volume);
        if (busy.isPresent()) {
            return Work.refuse(Operations.busy(busy.get(), volume, context.decidedAt()));
        }
        VolumeRow row = known.get();
        return Operations.start(
                new Work(newest, context),
                operationId,
                row.spec().pluginId(),
                ControllerCapability.CREATE_DELETE_SNAPSHOT,
                "creating snapshots",
                new OperationCall.CreateSnapshot(volume, row.spec().externalId(), name, parameters, secrets));
    }

    @Override
    public boolean bringsMore() {
        return true;
    }
}
