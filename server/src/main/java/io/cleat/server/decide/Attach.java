package io.cleat.server.decide;

import io.cleat.base.Refusal;
import io.cleat.model.BlockedBy;
import io.cleat.server.commit.DecideContext;
import io.cleat.server.commit.Decision;
import io.cleat.state.AttachmentId;
import io.cleat.state.AttachmentRow;
import io.cleat.state.AttachmentState;
import io.cleat.state.Change;
import io.cleat.state.ClaimId;
import io.cleat.state.ClaimRow;
import io.cleat.state.ClaimState;
import io.cleat.state.ClusterState;
import io.cleat.state.Encrypted;
import io.cleat.state.OperationCall;
import io.cleat.state.VolumeRow;
import java.time.Instant;
import java.util.Optional;

/**
 * Attaches the volume of a granted claim to the claim's node: the attachment and the call to be
 * made are written down first.
 *
 * @param operationId a fresh id
 */
public record Attach(ClaimId claim, String operationId) implements Command<Attach.Reply> {
    /** What there is to do for the claim's node. */
    public sealed interface Reply {
        /** The call is written down, to be sent. */
        record Started(String operationId) implements Reply {}

        /** The attachment is there, or under way. */
        record There(AttachmentState state) implements Reply {}
    }

    @Override
    public Decision<Change, Reply> decide(ClusterState newest, DecideContext context) {
        Instant now = context.decidedAt();
        Optional<ClaimRow> found =
                newest.claim(claim).filter(row -> row.state() == ClaimState.GRANTED);
        Optional<VolumeRow> volume = found.flatMap(row -> newest.volume(row.volume()));
        if (found.isEmpty() || volume.isEmpty()) {
            return Work.refuse(
                    new Refusal.NotFound("claim " + claim + " is not granted: nothing to attach"));
        }
        ClaimRow row = found.get();
        AttachmentId id = new AttachmentId(row.key(), row.nodeId());
        Optional<AttachmentRow> there = newest.attachment(id);
        if (there.isPresent() && there.get().state() != AttachmentState.DETACHING) {
            Work work = new Work(newest, context);
            return work.accept(new Reply.There(there.get().state()));
        }
        Optional<Refusal> wait =
                there.map(old -> wait(newest, row, old, now))
                        .or(() -> elsewhere(newest, row, now))
                        .or(
                                () ->
                                        Operations.inFlight(newest, row.volume())
                                                .map(o -> Operations.busy(o, row.volume(), now)));
        if (wait.isPresent()) {
            return Work.refuse(wait.get());
        }
        String plugin = row.key().pluginId();
        Optional<Plugins.Found> instance = Plugins.controller(newest, plugin);
        Optional<String> node = Plugins.externalNodeId(newest, plugin, row.nodeId());
        if (instance.isEmpty() || node.isEmpty()) {
            return Work.refuse(
                    instance.isEmpty()
                            ? Operations.noController(newest, plugin)
                            : new Refusal.Conflict(
                                    "CSI plugin "
                                            + plugin
                                            + " is missing from client "
                                            + row.nodeId()
                                            + ": it attaches once the plugin is back there"));
        }
        Work work = new Work(newest, context);
        start(work, row, volume.get(), id, instance.get(), node.get());
        return work.accept(new Reply.Started(operationId));
    }

    private void start(
            Work work,
            ClaimRow row,
            VolumeRow volume,
            AttachmentId id,
            Plugins.Found instance,
            String externalNodeId) {
        work.add(
                new Change.AttachmentPut(
                        new AttachmentRow(
                                id,
                                row.volume(),
                                externalNodeId,
                                row.readOnly(),
                                row.modes(),
                                Encrypted.NONE,
                                AttachmentState.ATTACHING,
                                work.now(),
                                new BlockedBy(
                                        "attach",
                                        "plugin " + row.key().pluginId(),
                                        work.now(),
                                        null,
                                        "the plugin attaches it; operation " + operationId),
                                0,
                                0)));
        Operations.log(
                work,
                operationId,
                row.key().pluginId(),
                instance,
                new OperationCall.Publish(
                        row.volume(),
                        id,
                        externalNodeId,
                        row.modes(),
                        row.mountOptions(),
                        row.readOnly(),
                        volume.spec().context()));
    }

    private static Optional<Refusal> elsewhere(ClusterState state, ClaimRow row, Instant now) {
        return state.attachmentsOf(row.key()).stream()
                .filter(other -> !other.id().nodeId().equals(row.nodeId()))
                .filter(
                        other ->
                                row.modes().access().isSingleNode()
                                        || other.modes().access().isSingleNode())
                .findFirst()
                .map(other -> wait(state, row, other, now));
    }

    private static Refusal wait(
            ClusterState state, ClaimRow row, AttachmentRow other, Instant now) {
        return new Refusal.Conflict(
                Words.volume(row.volume())
                        + " is "
                        + other.state().wire()
                        + " on "
                        + Words.node(state, other.id().nodeId())
                        + " for "
                        + Words.age(other.since(), now)
                        + "; it is attached once it is detached there");
    }
}
