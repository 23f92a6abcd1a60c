package io.cleat.server.decide;

import io.cleat.base.Refusal;
import io.cleat.model.AccessMode;
import io.cleat.model.BlockedBy;
import io.cleat.model.ControllerCapability;
import io.cleat.schedule.AttachConflict;
import io.cleat.schedule.PluginHealth;
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
import io.cleat.state.OperationRow;
import io.cleat.state.VolumeRow;
import java.time.Instant;
import java.util.Optional;

/**
 * Attaches the volume of a granted claim to the claim's node: the attachment and the call to be made are written down
 * first.
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

        /** Something is in the way; the claim's row says the same. */
        record Waits(BlockedBy reason) implements Reply {}
    }

    @Override
    public Decision<Change, Reply> decide(ClusterState newest, DecideContext context) {
        Optional<ClaimRow> found = newest.claims().get(claim).filter(row -> row.state() == ClaimState.GRANTED);
        Optional<VolumeRow> volume = found.flatMap(row -> newest.volume(row.volume()));
        if (found.isEmpty() || volume.isEmpty()) {
            return Work.refuse(new Refusal.NotFound("claim " + claim + " is not granted: nothing to attach"));
        }
        Work work = new Work(newest, context);
        ClaimRow row = found.get();
        AttachmentId id = new AttachmentId(row.key(), row.nodeId());
        Optional<AttachmentRow> there = newest.attachments().get(id);
        Optional<AttachmentRow> inTheWay =
                AttachConflict.of(newest, row.key(), row.modes(), row.readOnly(), row.nodeId());
        if (there.isPresent() && inTheWay.isEmpty()) {
            return work.accept(new Reply.There(there.get().state()));
        }
        PluginHealth plugin = PluginHealth.of(newest, row.key().pluginId());
        Optional<PluginHealth.Seen> instance = plugin.controller();
        Optional<String> node = plugin.externalNodeId(row.nodeId());
        Optional<BlockedBy> wait = newest.holdings().of(row.key()).stream()
                .filter(held -> held.isUnknown(newest))
                .findFirst()
                .map(unknown -> AttachProgress.unknown(newest, unknown, work.now()))
                .or(() -> behindOthers(newest, row, inTheWay, work.now()));
        if (wait.isEmpty() && instance.isPresent() && node.isPresent()) {
            boolean readOnly =
                    row.readOnly() && attachesReadOnly(plugin, row.modes().access());
            start(work, row, volume.get(), id, instance.get(), node.get(), readOnly);
            return work.accept(new Reply.Started(operationId));
        }
        BlockedBy reason = wait.orElseGet(() -> missing(newest, plugin, row, instance.isPresent(), work.now()));
        tell(work, row, reason);
        return work.accept(new Reply.Waits(reason));
    }

    /** The claim's row says what it waits for; saying the same again changes nothing. */
    private static void tell(Work work, ClaimRow row, BlockedBy reason) {
        BlockedBy old = row.blockedBy();
        boolean isKnown = old != null
                && old.holder().equals(reason.holder())
                && old.hint().equals(reason.hint());
        if (!isKnown) {
            work.add(new Change.ClaimPut(row.blockedBy(reason)));
        }
    }

    /**
     * Whether a reader attaches read-only (CSI specification, ControllerPublishVolumeRequest): not where a writer of
     * the same node shares the attachment, and only a plugin that can.
     */
    private static boolean attachesReadOnly(PluginHealth plugin, AccessMode access) {
        return plugin.can(ControllerCapability.PUBLISH_READONLY)
                && switch (access) {
                    case SINGLE_NODE_WRITER,
                            SINGLE_NODE_SINGLE_WRITER,
                            SINGLE_NODE_MULTI_WRITER,
                            MULTI_NODE_MULTI_WRITER -> false;
                    // A writer may be attached elsewhere.
                    case MULTI_NODE_SINGLE_WRITER, SINGLE_NODE_READER_ONLY, MULTI_NODE_READER_ONLY -> true;
                };
    }

    private void start(
            Work work,
            ClaimRow row,
            VolumeRow volume,
            AttachmentId id,
            PluginHealth.Seen instance,
            String externalNodeId,
            boolean readOnly) {
        AttachmentRow attachment = new AttachmentRow(
                id,
                row.volume(),
                externalNodeId,
                readOnly,
                row.modes(),
                Encrypted.NONE,
                AttachmentState.ATTACHING,
                work.now(),
                AttachProgress.waits(
                        "plugin " + row.key().pluginId(),
                        work.now(),
                        "the plugin attaches it; operation " + operationId),
                0,
                0);
        work.add(new Change.AttachmentPut(attachment));
        for (ClaimRow user : Attachments.users(work.state(), attachment)) {
            // From here on the attachment's row tells what they wait for.
            if (user.state() == ClaimState.GRANTED && user.blockedBy() != null) {
                work.add(new Change.ClaimPut(user.blockedBy(null)));
            }
        }
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
                        readOnly,
                        volume.spec().context()));
    }

    private static Optional<BlockedBy> behindOthers(
            ClusterState state, ClaimRow row, Optional<AttachmentRow> inTheWay, Instant now) {
        return inTheWay.map(other -> AttachProgress.behind(state, other, now))
                .or(() -> Operations.inFlight(state, row.volume()).map(other -> behind(other, now)));
    }

    private static BlockedBy behind(OperationRow other, Instant now) {
        return AttachProgress.waits(
                OperationCall.csiName(other.call())
                        + " of the same volume (operation "
                        + other.id()
                        + ", "
                        + other.state().wire()
                        + " since "
                        + other.since()
                        + ")",
                now,
                "it is attached once that call is settled");
    }

    private static BlockedBy missing(
            ClusterState state, PluginHealth plugin, ClaimRow row, boolean hasController, Instant now) {
        String id = "plugin " + plugin.pluginId();
        if (hasController) {
            return AttachProgress.waits(
                    id + ", which is missing from " + Words.node(state, row.nodeId()),
                    now,
                    "it is attached once the plugin is back there");
        }
        return AttachProgress.waits(
                id + (plugin.isPresent() ? ", which has no healthy controller" : ", which no node runs"),
                now,
                "it is attached once a controller of the plugin is healthy");
    }
}
