package io.cleat.server.decide;

import io.cleat.base.Effect;
import io.cleat.base.Refusal;
import io.cleat.model.BlockedBy;
import io.cleat.model.VolumeSpec;
import io.cleat.state.AttachmentId;
import io.cleat.state.AttachmentState;
import io.cleat.state.Change;
import io.cleat.state.Encrypted;
import io.cleat.state.OperationCall;
import io.cleat.state.OperationOutcome;
import io.cleat.state.OperationRow;
import io.cleat.state.OperationState;
import io.cleat.state.VolumeRow;
import java.time.Instant;
import java.util.Optional;

/**
 * What follows from how a controller call ended. The outcome is that of all its tries: after one
 * that may have had an effect, only a success of the call or of its inverse settles it (design
 * 3.12).
 */
final class Outcomes {
    private Outcomes() {}

    static void take(Work work, OperationRow row, OperationOutcome outcome, NewIds ids) {
        switch (outcome) {
            case OperationOutcome.Failed failed -> failed(work, row, failed, ids);
            case OperationOutcome.Created created -> created(work, row, created);
            case OperationOutcome.Confirmed _ -> confirmed(work, row);
            case OperationOutcome.Deleted _ -> deleted(work, row);
            case OperationOutcome.Published published -> published(work, row, published);
            case OperationOutcome.Unpublished _ -> unpublished(work, row);
            case OperationOutcome.Abandoned abandoned -> done(work, row, abandoned);
        }
    }

    static void unknown(Work work, OperationRow row, String why) {
        if (Operations.isQuestion(row.call())) {
            done(work, row, new OperationOutcome.Failed(Effect.UNKNOWN, "", why));
            return;
        }
        Instant next = work.now().plus(Operations.waitAfter(row.tries()));
        BlockedBy before = row.blockedBy();
        BlockedBy reason =
                new BlockedBy(
                        "call",
                        "plugin " + row.pluginId() + " (" + why + ")",
                        before == null ? work.now() : before.since(),
                        next,
                        "whether it did its work is not known; the same call is made again, and"
                                + " nothing is freed before it succeeds");
        work.add(new Change.OperationPut(row.unknown(next, reason, work.now())));
        story(work, row, reason);
    }

    private static void failed(
            Work work, OperationRow row, OperationOutcome.Failed failed, NewIds ids) {
        boolean isDefinite = failed.effect() == Effect.NONE && !row.wasUnknown();
        if (Operations.isQuestion(row.call())) {
            done(work, row, failed);
            return;
        }
        if (!isDefinite) {
            unknown(work, row, failed.message());
            return;
        }
        switch (row.call()) {
            case OperationCall.Unpublish _ -> again(work, row, failed);
            case OperationCall.Publish publish -> {
                done(work, row, failed);
                work.state()
                        .attachment(publish.attachment())
                        .filter(there -> there.state() == AttachmentState.ATTACHING)
                        .ifPresent(
                                there ->
                                        Attachments.giveUp(
                                                work,
                                                there,
                                                "controller attach volume: " + failed.message(),
                                                ids));
            }
            case OperationCall.Create _, OperationCall.Delete _, OperationCall.Validate _ ->
                    done(work, row, failed);
        }
    }

    /** A detach that was refused is owed all the same. */
    private static void again(Work work, OperationRow row, OperationOutcome.Failed failed) {
        Instant next = work.now().plus(Operations.waitAfter(row.tries()));
        BlockedBy reason =
                new BlockedBy(
                        "detach",
                        "plugin " + row.pluginId() + " (" + failed.message() + ")",
                        row.since(),
                        next,
                        "it is tried again; if the volume is surely detached, an operator ends this"
                                + " with volume detach -abandon");
        work.add(new Change.OperationPut(row.again(next, reason, work.now())));
        story(work, row, reason);
    }

    /** The attachment shows the same words as the call it waits for. */
    private static void story(Work work, OperationRow row, BlockedBy reason) {
        AttachmentId id = OperationCall.attachmentOf(row.call());
        if (id != null) {
            work.state()
                    .attachment(id)
                    .filter(there -> there.state() != AttachmentState.ATTACHED)
                    .ifPresent(
                            there ->
                                    work.add(
                                            new Change.AttachmentPut(
                                                    there.moved(
                                                            there.state(),
                                                            there.publishContext(),
                                                            reason,
                                                            work.now()))));
        }
    }

    private static void done(Work work, OperationRow row, OperationOutcome outcome) {
        work.add(new Change.OperationPut(row.done(outcome, work.now())));
    }

    private static void created(Work work, OperationRow row, OperationOutcome.Created created) {
        if (!(row.call() instanceof OperationCall.Create(VolumeSpec spec, Encrypted secrets))) {
            wrong(work, row, created);
            return;
        }
        VolumeSpec made = spec.made(created.externalId(), created.context());
        Optional<Refusal> excluded = VolumeRules.excluded(work.state(), made);
        if (excluded.isPresent()) {
            done(
                    work,
                    row,
                    new OperationOutcome.Failed(
                            Effect.APPLIED,
                            "",
                            "the plugin answered with a volume that is not new: "
                                    + excluded.get().message()));
            return;
        }
        done(work, row, created);
        Volumes.put(
                work,
                VolumeRow.of(
                        made, secrets, created.capacity(), created.accessibleFrom(), work.now()));
        Volumes.event(
                work, made.id(), row.nodeId(), "CreateVolume", "created " + created.externalId());
    }

    private static void confirmed(Work work, OperationRow row) {
        if (!(row.call() instanceof OperationCall.Validate(VolumeSpec spec, Encrypted secrets))) {
            wrong(work, row, new OperationOutcome.Confirmed());
            return;
        }
        Optional<Refusal> excluded = VolumeRules.excluded(work.state(), spec);
        if (excluded.isPresent()) {
            done(work, row, new OperationOutcome.Failed(Effect.NONE, "", excluded.get().message()));
            return;
        }
        done(work, row, new OperationOutcome.Confirmed());
        Volumes.put(work, spec, secrets);
    }

    private static void deleted(Work work, OperationRow row) {
        if (!(row.call() instanceof OperationCall.Delete delete)) {
            wrong(work, row, new OperationOutcome.Deleted());
            return;
        }
        done(work, row, new OperationOutcome.Deleted());
        work.state().volume(delete.volume()).ifPresent(volume -> Volumes.remove(work, volume));
    }

    private static void published(
            Work work, OperationRow row, OperationOutcome.Published published) {
        if (!(row.call() instanceof OperationCall.Publish publish)) {
            wrong(work, row, published);
            return;
        }
        done(work, row, published);
        // Given up meanwhile, it is detached, not used.
        work.state()
                .attachment(publish.attachment())
                .filter(there -> there.state() == AttachmentState.ATTACHING)
                .ifPresent(
                        there ->
                                work.add(
                                        new Change.AttachmentPut(
                                                there.moved(
                                                        AttachmentState.ATTACHED,
                                                        published.publishContext(),
                                                        null,
                                                        work.now()))));
    }

    private static void unpublished(Work work, OperationRow row) {
        if (!(row.call() instanceof OperationCall.Unpublish unpublish)) {
            wrong(work, row, new OperationOutcome.Unpublished());
            return;
        }
        done(work, row, new OperationOutcome.Unpublished());
        for (OperationRow other : work.state().operationsOf(unpublish.volume())) {
            if (other.state() == OperationState.UNKNOWN
                    && other.call() instanceof OperationCall.Publish publish
                    && publish.attachment().equals(unpublish.attachment())) {
                done(work, other, new OperationOutcome.Unpublished());
            }
        }
        work.add(new Change.AttachmentRemoved(unpublish.attachment()));
    }

    /** A node answered another call than was made: as good as no answer. */
    private static void wrong(Work work, OperationRow row, OperationOutcome outcome) {
        unknown(
                work,
                row,
                "the node answered "
                        + outcome.getClass().getSimpleName()
                        + " to "
                        + OperationCall.csiName(row.call()));
    }
}
