package io.cleat.server.decide;

import io.cleat.base.Refusal;
import io.cleat.model.ControllerCapability;
import io.cleat.model.VolumeId;
import io.cleat.server.commit.DecideContext;
import io.cleat.server.commit.Decision;
import io.cleat.state.AttachmentRow;
import io.cleat.state.Change;
import io.cleat.state.ClaimRow;
import io.cleat.state.ClusterState;
import io.cleat.state.Encrypted;
import io.cleat.state.HoldingRow;
import io.cleat.state.OperationCall;
import io.cleat.state.VolumeRow;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Has a plugin delete a volume, and forgets it once it has. Claims are looked at before any call.
 *
 * @param secrets for the call
 * @param operationId a fresh id
 */
public record DeleteVolume(VolumeId volume, Encrypted secrets, String operationId) implements Command<VolumeReply> {
    @Override
    public Decision<Change, VolumeReply> decide(ClusterState newest, DecideContext context) {
        Instant now = context.decidedAt();
        Optional<VolumeRow> known = newest.volume(volume);
        if (known.isEmpty()) {
            return Work.refuse(new Refusal.NotFound("volume not found: " + volume.id()));
        }
        VolumeRow row = known.get();
        Optional<Refusal> refusal = inUse(newest, row, now)
                .or(() -> Operations.inFlight(newest, volume).map(other -> Operations.busy(other, volume, now)));
        if (refusal.isPresent()) {
            return Work.refuse(refusal.get());
        }
        return Operations.start(
                new Work(newest, context),
                operationId,
                row.spec().pluginId(),
                ControllerCapability.CREATE_DELETE_VOLUME,
                "deleting volumes",
                new OperationCall.Delete(volume, row.spec().externalId(), secrets));
    }

    private static Optional<Refusal> inUse(ClusterState state, VolumeRow row, Instant now) {
        // Also what another registration of the same volume holds: it is the same data.
        List<ClaimRow> claims = state.claims().of(row.key());
        if (!claims.isEmpty()) {
            return Optional.of(VolumeRules.inUse(state, row.id(), claims, now));
        }
        List<HoldingRow> unknown = state.holdings().of(row.key());
        if (!unknown.isEmpty()) {
            return Optional.of(new Refusal.Conflict("volume in use: "
                    + row.id().id()
                    + ": "
                    + unknown.getFirst().holder(state)
                    + " holds it"));
        }
        List<AttachmentRow> attachments = state.attachments().of(row.key());
        if (!attachments.isEmpty()) {
            return Optional.of(Attachments.stillThere(state, row.id(), attachments, now));
        }
        return state.volumesWithKey(row.key()).stream()
                .filter(other -> !other.id().equals(row.id()))
                .findFirst()
                .map(other -> new Refusal.Conflict("volume in use: "
                        + row.id().id()
                        + ": the same data is registered as "
                        + Words.volume(other.id())
                        + " too; deregister that first"));
    }
}
