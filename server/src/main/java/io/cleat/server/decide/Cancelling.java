package io.cleat.server.decide;

import io.cleat.base.Effect;
import io.cleat.base.Ordered;
import io.cleat.model.BlockedBy;
import io.cleat.state.Change;
import io.cleat.state.Encrypted;
import io.cleat.state.OperationCall;
import io.cleat.state.OperationOutcome;
import io.cleat.state.OperationPast;
import io.cleat.state.OperationRow;
import io.cleat.state.OperationState;
import java.time.Instant;
import java.util.Set;

/**
 * How a call that a person cancelled is settled. It stays unknown until what it made is deleted, so that nothing of it
 * can come to light later, and its name stays taken until then.
 */
final class Cancelling {
    /**
     * The answers by which a plugin says that what the same call might have made is not there: CSI has it answer OK if
     * it is.
     */
    private static final Set<String> NOTHING_THERE =
            Ordered.setOf("InvalidArgument", "ResourceExhausted", "OutOfRange", "AlreadyExists");

    private Cancelling() {}

    /** Whether there is something to do about a call that was sent. */
    static boolean canBeUndone(OperationCall call) {
        return switch (call) {
            case OperationCall.Create _,
                    OperationCall.Delete _,
                    OperationCall.CreateSnapshot _,
                    OperationCall.DeleteSnapshot _ -> true;
            case OperationCall.Validate _, OperationCall.Expand _, OperationCall.Publish _, OperationCall.Unpublish _ ->
                false;
        };
    }

    private static boolean isDeletion(OperationCall call) {
        return call instanceof OperationCall.Delete || call instanceof OperationCall.DeleteSnapshot;
    }

    /** What is done for it. */
    static String next(OperationCall call) {
        return isDeletion(call)
                ? "a deletion cannot be undone; it is made again until the plugin answers"
                : "the same call is made again to learn what it made, and that is deleted";
    }

    /** Marks it; one that the plugin has is left to end first. */
    static void begin(Work work, OperationRow row) {
        OperationRow marked = row.withPast(row.past().cancelled());
        BlockedBy wait = row.blockedBy();
        if (row.state() == OperationState.UNKNOWN && wait != null) {
            BlockedBy now = new BlockedBy(
                    CallProgress.STEP,
                    wait.holder(),
                    wait.since(),
                    work.now(),
                    "it is being cancelled: " + next(row.call()));
            marked = marked.unknown(work.now(), now, work.now());
        }
        work.add(new Change.OperationPut(marked));
    }

    /** Whether a refusal settles a cancelled call, though an earlier try is unknown. */
    static boolean isSettledBy(OperationRow row, OperationOutcome.Failed failed) {
        return row.past().cancelling() && failed.effect() == Effect.NONE && NOTHING_THERE.contains(failed.code());
    }

    static OperationOutcome nothingThere(OperationRow row, OperationOutcome.Failed failed) {
        return new OperationOutcome.Failed(
                Effect.NONE,
                "",
                (isDeletion(row.call())
                                ? "cancelled; the plugin refused to delete it: "
                                : "cancelled; the plugin refused to make it again, so it is not there: ")
                        + failed.message());
    }

    /** The volume was made after all: it is deleted, and never registered. */
    static void made(Work work, OperationRow row, OperationCall.Create create, String externalId, NewIds ids) {
        boolean isUnderWay = work.state().operations().of(create.spec().id()).stream()
                .anyMatch(other -> !other.isDone() && other.call() instanceof OperationCall.Delete);
        if (isUnderWay) {
            return;
        }
        String deletion = ids.next();
        Instant next = work.now().plus(Operations.waitAfter(row.tries()));
        BlockedBy reason = new BlockedBy(
                CallProgress.STEP,
                "operation " + deletion,
                row.past().firstUnknown(work.now()),
                next,
                "it made " + externalId + ", and is cancelled: that operation deletes what it made");
        work.add(new Change.OperationPut(row.unknown(next, reason, work.now())));
        delete(work, row, deletion, new OperationCall.Delete(create.spec().id(), externalId, create.secrets()));
    }

    private static void delete(Work work, OperationRow row, String id, OperationCall call) {
        work.add(new Change.OperationPut(new OperationRow(
                id,
                row.pluginId(),
                row.nodeId(),
                row.allocId(),
                0,
                call,
                OperationState.LOGGED,
                false,
                null,
                0,
                null,
                work.now(),
                new BlockedBy(
                        CallProgress.STEP,
                        "plugin " + row.pluginId(),
                        work.now(),
                        null,
                        "it deletes what a cancelled call made, when its turn comes"),
                OperationPast.NONE,
                0,
                0)));
    }

    /** What the cancelled creations of a volume had made is gone. */
    static void deleted(Work work, OperationCall.Delete delete) {
        for (OperationRow other : work.state().operations().of(delete.volume())) {
            if (!other.isDone()
                    && other.call() instanceof OperationCall.Create
                    && other.past().cancelling()) {
                OperationOutcome ended = new OperationOutcome.Failed(
                        Effect.NONE,
                        "",
                        "cancelled: what the plugin had made, " + delete.externalId() + ", is deleted");
                work.add(new Change.OperationPut(other.done(ended, work.now())));
            }
        }
    }

    /**
     * The snapshot was made after all. It is deleted without secrets, where it was made without; secrets are kept for
     * the volume alone, so else a person deletes it.
     *
     * @return how the call that made it ends
     */
    static OperationOutcome snapshotMade(
            Work work, OperationRow row, OperationCall.CreateSnapshot call, String id, NewIds ids) {
        String then;
        if (call.secrets().equals(Encrypted.NONE)) {
            String deletion = ids.next();
            delete(work, row, deletion, new OperationCall.DeleteSnapshot(id, Encrypted.NONE));
            then = "operation " + deletion + " deletes it";
        } else {
            then = "it needs secrets to be deleted: cleat volume snapshot delete -secret=KEY=VALUE "
                    + row.pluginId()
                    + " "
                    + id;
        }
        return new OperationOutcome.Failed(
                Effect.APPLIED, "", "cancelled: the plugin had made snapshot " + id + "; " + then);
    }
}
