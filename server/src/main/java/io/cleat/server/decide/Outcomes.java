package io.cleat.server.decide;

import io.cleat.base.Effect;
import io.cleat.base.Refusal;
import io.cleat.model.BlockedBy;
import io.cleat.model.CallEnd;
import io.cleat.model.VolumeId;
import io.cleat.model.VolumeSpec;
import io.cleat.state.AttachmentId;
import io.cleat.state.AttachmentState;
import io.cleat.state.Change;
import io.cleat.state.Encrypted;
import io.cleat.state.OperationCall;
import io.cleat.state.OperationOutcome;
import io.cleat.state.OperationPast;
import io.cleat.state.OperationRow;
import io.cleat.state.OperationState;
import io.cleat.state.VolumeRow;
import java.time.Instant;
import java.util.Optional;

/**
 * What follows from how a controller call ended. The outcome is that of all its tries: after one that may have had an
 * effect, only a success of the call or of its inverse settles it.
 */
final class Outcomes {
    private Outcomes() {}

    static void take(Work work, OperationRow row, OperationOutcome outcome, NewIds ids) {
        switch (outcome) {
            case OperationOutcome.Failed failed -> failed(work, row, failed, ids);
            case OperationOutcome.Created created -> created(work, row, created, ids);
            case OperationOutcome.Confirmed _ -> confirmed(work, row);
            case OperationOutcome.Deleted _ -> deleted(work, row);
            case OperationOutcome.Published published -> published(work, row, published);
            case OperationOutcome.Unpublished _ -> unpublished(work, row);
            case OperationOutcome.Expanded expanded -> expanded(work, row, expanded);
            case OperationOutcome.SnapshotCreated snapshot -> snapshot(work, row, snapshot, ids);
            case OperationOutcome.SnapshotDeleted deleted -> {
                if (row.call() instanceof OperationCall.DeleteSnapshot) {
                    done(work, row, deleted);
                } else {
                    wrong(work, row, deleted);
                }
            }
            case OperationOutcome.Abandoned abandoned -> done(work, row, abandoned);
        }
    }

    /** Whether it has to be made some day: an earlier try may have worked, or it is a detach. */
    private static boolean isOwed(OperationRow row, OperationOutcome.Failed failed) {
        return !Operations.isQuestion(row.call())
                && (row.wasUnknown()
                        || failed.effect() != Effect.NONE
                        || row.call() instanceof OperationCall.Unpublish);
    }

    /**
     * The plugin ends by this call, so its agent does not make it before a person has restarted or replaced the plugin.
     * The agent is asked now and then whether one has.
     */
    private static void withheld(Work work, OperationRow row, OperationOutcome.Failed failed) {
        Instant next = work.now().plus(Operations.LONGEST_WAIT);
        BlockedBy reason = new BlockedBy(
                CallProgress.STEP,
                CallProgress.holder(row, failed.message()),
                row.past().firstUnknown(work.now()),
                next,
                "it is made again once you restart the plugin with: cleat alloc restart "
                        + row.allocId()
                        + " (or register a plugin job that is mended); the plugin's logs may say why it ends");
        OperationPast past = row.past();
        OperationPast waits = past.waitsForPerson() ? past : past.runEnded(true);
        work.add(new Change.OperationPut(row.withPast(waits).unknown(next, reason, work.now())));
        waits(work, row, reason);
        told(work, row, failed.code(), failed.message());
    }

    static void unknown(Work work, OperationRow asked, String why) {
        OperationRow row = asked.withPast(asked.past().waitsForNobody());
        if (Operations.isQuestion(row.call())) {
            done(work, row, new OperationOutcome.Failed(Effect.UNKNOWN, "", why));
            return;
        }
        Instant next = work.now().plus(Operations.waitAfter(row.tries()));
        BlockedBy reason = new BlockedBy(
                CallProgress.STEP,
                CallProgress.holder(row, why),
                row.past().firstUnknown(work.now()),
                next,
                row.past().cancelling()
                        ? "it is being cancelled: " + Cancelling.next(row.call())
                        : "whether it did its work is not known; the same call is made"
                                + " again, and nothing is freed before it succeeds");
        work.add(new Change.OperationPut(row.unknown(next, reason, work.now())));
        waits(work, row, reason);
        told(work, row, "Unknown", why);
    }

    /** The events of a registered volume have each new answer; said again, it is there already. */
    private static void told(Work work, OperationRow row, String code, String words) {
        Optional<VolumeId> about =
                row.call().about().filter(id -> work.state().volume(id).isPresent());
        if (about.isPresent() && !CallProgress.said(row).equals(Optional.of(words))) {
            Volumes.answered(work, about.get(), row, OperationCall.csiName(row.call()), code, words);
        }
    }

    private static void failed(Work work, OperationRow row, OperationOutcome.Failed failed, NewIds ids) {
        if (failed.code().equals(CallEnd.WITHHELD) && isOwed(row, failed)) {
            withheld(work, row, failed);
            return;
        }
        boolean isDefinite = failed.effect() == Effect.NONE && !row.wasUnknown();
        if (Operations.isQuestion(row.call())) {
            done(work, row, failed);
            return;
        }
        if (isDefinite && failed.code().equals(CallEnd.NOT_MADE)) {
            notMade(work, row, failed);
            return;
        }
        if (!isDefinite && Cancelling.isSettledBy(row, failed)) {
            done(work, row, Cancelling.nothingThere(row, failed));
            told(work, row, code(failed), failed.message());
            return;
        }
        if (!isDefinite) {
            boolean ended = failed.code().equals(CallEnd.PLUGIN_ENDED);
            unknown(work, ended ? row.withPast(row.past().runEnded(false)) : row, failed.message());
            return;
        }
        switch (row.call()) {
            case OperationCall.Unpublish _ -> refusedDetach(work, row, failed);
            case OperationCall.Publish publish -> {
                done(work, row, failed);
                told(work, row, code(failed), failed.message());
                work.state()
                        .attachments()
                        .get(publish.attachment())
                        .filter(there -> there.state() == AttachmentState.ATTACHING)
                        .ifPresent(there -> Attachments.giveUp(
                                work,
                                there,
                                "controller attach volume: " + failed.message() + wayOut(work, publish, failed),
                                ids));
            }
            case OperationCall.Create _,
                    OperationCall.Delete _,
                    OperationCall.Expand _,
                    OperationCall.CreateSnapshot _,
                    OperationCall.DeleteSnapshot _,
                    OperationCall.Validate _ -> {
                done(work, row, failed);
                told(work, row, code(failed), failed.message());
            }
        }
    }

    /** What a person can do if the provider says that the volume is attached elsewhere. */
    private static String wayOut(Work work, OperationCall.Publish publish, OperationOutcome.Failed failed) {
        boolean isKnownElsewhere =
                work.state().attachments().of(publish.attachment().key()).size() > 1;
        return !failed.code().equals("FailedPrecondition") || isKnownElsewhere
                ? ""
                : ". If it is still attached where nothing uses it, volume detach %s NODE detaches it"
                        .formatted(publish.volume().id());
    }

    private static String code(OperationOutcome.Failed failed) {
        return failed.code().isEmpty() ? "Failed" : failed.code();
    }

    /** The next instance makes it: that one has ended says nothing of the call. */
    private static void notMade(Work work, OperationRow row, OperationOutcome.Failed failed) {
        again(work, row, failed, CallProgress.STEP, "it is made by the next instance of the plugin that is healthy");
    }

    /** A detach that was refused is owed all the same. */
    private static void refusedDetach(Work work, OperationRow row, OperationOutcome.Failed failed) {
        again(
                work,
                row,
                failed,
                "detach",
                "it is tried again; if the volume is surely detached, an operator ends this with"
                        + " volume detach -abandon");
    }

    private static void again(Work work, OperationRow row, OperationOutcome.Failed failed, String step, String hint) {
        Instant next = work.now().plus(Operations.waitAfter(row.tries()));
        BlockedBy reason = new BlockedBy(step, CallProgress.holder(row, failed.message()), row.since(), next, hint);
        work.add(new Change.OperationPut(row.again(next, reason, work.now())));
        waits(work, row, reason);
        told(work, row, code(failed), failed.message());
    }

    /** The attachment shows the same words as the call it waits for. */
    private static void waits(Work work, OperationRow row, BlockedBy reason) {
        AttachmentId id = OperationCall.attachmentOf(row.call());
        if (id != null) {
            work.state()
                    .attachments()
                    .get(id)
                    .filter(there -> there.state() != AttachmentState.ATTACHED)
                    .ifPresent(there -> work.add(new Change.AttachmentPut(
                            there.moved(there.state(), there.publishContext(), reason, work.now()))));
        }
    }

    private static void done(Work work, OperationRow row, OperationOutcome outcome) {
        work.add(new Change.OperationPut(row.done(outcome, work.now())));
    }

    private static void created(Work work, OperationRow row, OperationOutcome.Created created, NewIds ids) {
        if (!(row.call() instanceof OperationCall.Create create)) {
            wrong(work, row, created);
            return;
        }
        VolumeSpec spec = create.spec();
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
        if (row.past().cancelling()) {
            Cancelling.made(work, row, create, created.externalId(), ids);
            return;
        }
        done(work, row, created);
        Volumes.put(
                work, VolumeRow.of(made, create.secrets(), created.capacity(), created.accessibleFrom(), work.now()));
        Volumes.answered(work, made.id(), row, "CreateVolume", "OK", "created " + created.externalId());
    }

    /** Grown at the provider; what its nodes have to do is told them with their grants. */
    private static void expanded(Work work, OperationRow row, OperationOutcome.Expanded expanded) {
        if (!(row.call() instanceof OperationCall.Expand expand)) {
            wrong(work, row, expanded);
            return;
        }
        done(work, row, expanded);
        VolumeId id = expand.spec().id();
        Optional<VolumeRow> there = work.state()
                .volume(id)
                .filter(volume -> volume.key().externalId().equals(expand.spec().externalId()));
        if (there.isPresent()) {
            VolumeRow grown = there.get()
                    .withSpec(expand.spec(), expand.secrets(), work.now())
                    .grown(expanded.capacity(), expanded.onNodes(), work.now());
            boolean isCompared = !expanded.onNodes()
                    && work.reads(Change.COMPARE_LEVEL)
                    && grown.spec().mayBeDevice();
            Volumes.put(work, isCompared ? grown.compared() : grown);
            Volumes.answered(
                    work, id, row, "ControllerExpandVolume", "OK", "expanded to " + expanded.capacity() + " bytes");
        }
    }

    private static void snapshot(Work work, OperationRow row, OperationOutcome.SnapshotCreated created, NewIds ids) {
        if (!(row.call() instanceof OperationCall.CreateSnapshot call)) {
            wrong(work, row, created);
            return;
        }
        done(
                work,
                row,
                row.past().cancelling()
                        ? Cancelling.snapshotMade(
                                work, row, call, created.snapshot().snapshotId(), ids)
                        : created);
        if (work.state().volume(call.volume()).isPresent()) {
            Volumes.answered(
                    work,
                    call.volume(),
                    row,
                    "CreateSnapshot",
                    "OK",
                    "created " + created.snapshot().snapshotId());
        }
    }

    private static void confirmed(Work work, OperationRow row) {
        if (!(row.call() instanceof OperationCall.Validate(VolumeSpec spec, Encrypted secrets))) {
            wrong(work, row, new OperationOutcome.Confirmed());
            return;
        }
        Optional<Refusal> excluded = VolumeRules.excluded(work.state(), spec);
        if (excluded.isPresent()) {
            done(
                    work,
                    row,
                    new OperationOutcome.Failed(Effect.NONE, "", excluded.get().message()));
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
        Cancelling.deleted(work, delete);
        work.state().volume(delete.volume()).ifPresent(volume -> Volumes.remove(work, volume));
    }

    private static void published(Work work, OperationRow row, OperationOutcome.Published published) {
        if (!(row.call() instanceof OperationCall.Publish publish)) {
            wrong(work, row, published);
            return;
        }
        done(work, row, published);
        // Given up meanwhile, it is detached, not used.
        work.state()
                .attachments()
                .get(publish.attachment())
                .filter(there -> there.state() == AttachmentState.ATTACHING)
                .ifPresent(there -> work.add(new Change.AttachmentPut(
                        there.moved(AttachmentState.ATTACHED, published.publishContext(), null, work.now()))));
    }

    private static void unpublished(Work work, OperationRow row) {
        if (!(row.call() instanceof OperationCall.Unpublish unpublish)) {
            wrong(work, row, new OperationOutcome.Unpublished());
            return;
        }
        done(work, row, new OperationOutcome.Unpublished());
        for (OperationRow other : work.state().operations().of(unpublish.volume())) {
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
                "the node answered " + outcome.getClass().getSimpleName() + " to " + OperationCall.csiName(row.call()));
    }
}
