package io.cleat.server.decide;

import io.cleat.base.Refusal;
import io.cleat.model.BlockedBy;
import io.cleat.schedule.PluginHealth;
import io.cleat.server.commit.DecideContext;
import io.cleat.server.commit.Decision;
import io.cleat.state.AttachmentId;
import io.cleat.state.AttachmentRow;
import io.cleat.state.AttachmentState;
import io.cleat.state.Change;
import io.cleat.state.ClaimRow;
import io.cleat.state.ClusterState;
import io.cleat.state.HoldingRow;
import io.cleat.state.OperationCall;
import io.cleat.state.OperationRow;
import io.cleat.state.OperationState;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Detaches a provider's volume from a node where nothing needs it any more.
 *
 * @param operationId a fresh id
 */
public record Detach(AttachmentId attachment, String operationId) implements Command<Detach.Reply> {
    /** @param operationId of the call that is written down, to be sent; empty if none is needed */
    public record Reply(String operationId) {}

    @Override
    public Decision<Change, Reply> decide(ClusterState newest, DecideContext context) {
        Instant now = context.decidedAt();
        Work work = new Work(newest, context);
        Optional<AttachmentRow> found = newest.attachments().get(attachment);
        if (found.isEmpty()) {
            return work.accept(new Reply(""));
        }
        AttachmentRow row = found.get();
        List<ClaimRow> users = Attachments.users(newest, row);
        // No node was told to mount what was given up: who claims it again waits until it is gone.
        if (!users.isEmpty() && row.state() != AttachmentState.DETACHING) {
            return Work.refuse(VolumeRules.inUse(newest, row.volume(), users, now));
        }
        Optional<HoldingRow> unknown = Holdings.on(newest, attachment);
        if (unknown.isPresent()) {
            return Work.refuse(new Refusal.Conflict(Words.volume(row.volume())
                    + " is not detached: "
                    + unknown.get().holder(newest)
                    + " holds it"));
        }
        Optional<OperationRow> busy = newest.operations().of(row.volume()).stream()
                .filter(other -> !other.isDone() && !isSettledByThis(other))
                .findFirst();
        if (busy.isPresent()) {
            return Work.refuse(Operations.busy(busy.get(), row.volume(), now));
        }
        String plugin = attachment.key().pluginId();
        PluginHealth health = PluginHealth.of(newest, plugin);
        Optional<PluginHealth.Seen> instance = health.controller();
        if (instance.isEmpty()) {
            return Work.refuse(Operations.noController(health));
        }
        newest.operations().of(row.volume()).stream()
                .filter(other -> !other.isDone())
                .forEach(other -> superseded(work, other));
        work.add(new Change.AttachmentPut(row.moved(
                AttachmentState.DETACHING,
                row.publishContext(),
                new BlockedBy(
                        "detach",
                        "plugin " + plugin,
                        work.now(),
                        null,
                        "the plugin detaches it; operation " + operationId),
                work.now())));
        Operations.log(
                work,
                operationId,
                plugin,
                instance.get(),
                new OperationCall.Unpublish(row.volume(), attachment, row.externalNodeId()));
        return work.accept(new Reply(operationId));
    }

    private void superseded(Work work, OperationRow attaching) {
        Instant next = Objects.requireNonNullElse(attaching.nextTry(), work.now());
        work.add(new Change.OperationPut(attaching.unknown(
                next,
                new BlockedBy(
                        "call",
                        "operation " + operationId + ", which detaches",
                        attaching.since(),
                        null,
                        "it is not made again: the detach settles both"),
                work.now())));
    }

    /** Whether the other is an attaching of unknown effect, which a detach settles. */
    private boolean isSettledByThis(OperationRow other) {
        return other.state() == OperationState.UNKNOWN
                && other.call() instanceof OperationCall.Publish publish
                && publish.attachment().equals(attachment);
    }
}
