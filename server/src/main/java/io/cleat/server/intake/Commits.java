package io.cleat.server.intake;

import io.cleat.base.Deadline;
import io.cleat.base.EarlyEnd;
import io.cleat.base.ExpiredTrouble;
import io.cleat.base.Ids;
import io.cleat.base.LogTrouble;
import io.cleat.base.Refused;
import io.cleat.base.Sha256;
import io.cleat.codec.RecordCodec;
import io.cleat.model.BlockedBy;
import io.cleat.server.commit.Answer;
import io.cleat.server.commit.Committer;
import io.cleat.server.decide.Command;
import io.cleat.server.decide.Once;
import io.cleat.state.Change;
import io.cleat.state.ClusterState;
import io.cleat.state.OperationRow;
import io.cleat.state.OperationState;
import io.cleat.state.RowId;
import io.cleat.state.TableName;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Commits what is asked, once for each request id, and waits for what follows from it. */
final class Commits {
    /** So often a call without a known end is made, some 10 s, before who waits is told. */
    private static final int TRIES = 4;

    /**
     * What is asked, without what differs when it is asked again; never a secret. Not made where nobody can repeat it.
     */
    @FunctionalInterface
    interface Parts {
        /** @throws Refused it cannot be written down */
        List<Object> list() throws Refused;
    }

    private final Committer<ClusterState, Change> committer;
    private final ImageWaiters waiters;
    private final Ids ids;

    Commits(Committer<ClusterState, Change> committer, ImageWaiters waiters, Ids ids) {
        this.committer = committer;
        this.waiters = waiters;
        this.ids = ids;
    }

    ClusterState newest() {
        return committer.applied().image();
    }

    /** The time that a decision made now would carry. */
    Instant now() {
        return committer.now();
    }

    int featureLevel() {
        return committer.applied().featureLevel();
    }

    /** A fresh id. */
    String seed() {
        return ids.next();
    }

    /** Decides a command that may be decided twice without harm. */
    <R> Done<R> commit(Command<R> command, Deadline deadline) throws Refused, LogTrouble, InterruptedException {
        return done(committer.commit(command, Optional.empty(), deadline));
    }

    /**
     * Decides a command once for each request id that its caller gave; one without is decided whenever it is asked.
     *
     * @param codec of the reply that is kept
     */
    <R> Done<R> once(Command<R> command, Parts parts, RecordCodec<R> codec, Asked asked)
            throws Refused, LogTrouble, InterruptedException {
        // Looked at only under an id.
        String digest = asked.requestId().isPresent() ? digest(command, parts.list()) : "";
        return done(committer.commit(new Once<>(command, digest, codec), asked.requestId(), asked.deadline()));
    }

    /**
     * Waits until an operation is settled, and not for ever beside a plugin that never says how its calls end.
     *
     * @return its last row; empty if it was collected already
     * @throws ExpiredTrouble it is not settled by then, and goes on
     */
    Optional<OperationRow> settled(String operationId, Deadline deadline) throws ExpiredTrouble, InterruptedException {
        ClusterState image = waiters.await(
                Set.of(TableName.OPERATIONS),
                state -> state.operations().get(operationId).map(row -> RowId.operation(row.id())),
                state -> state.operations()
                        .get(operationId)
                        .map(row -> row.isDone() || isTriedEnough(row))
                        .orElse(true),
                deadline,
                EarlyEnd.NEVER);
        Optional<OperationRow> row = image.operations().get(operationId);
        if (row.isPresent() && !row.get().isDone()) {
            throw new ExpiredTrouble(notSettled(row.get()));
        }
        return row;
    }

    private static boolean isTriedEnough(OperationRow row) {
        return row.state() == OperationState.UNKNOWN && row.tries() >= TRIES;
    }

    private static String notSettled(OperationRow row) {
        BlockedBy reason = row.blockedBy();
        return "operation "
                + row.id()
                + ", which is "
                + row.state().wire()
                + (row.tries() > 1 ? " after " + row.tries() + " tries" : "")
                + " and goes on; volume why tells how far it is"
                + (reason == null ? "" : "; it waits for " + reason.holder());
    }

    private static <R> Done<R> done(Answer<R> answer) throws Refused {
        return switch (answer) {
            case Answer.Accepted<R>(R reply, long version) -> new Done<>(reply, version);
            case Answer.Rejected<R> rejected -> throw new Refused(rejected.refusal());
        };
    }

    private static String digest(Command<?> command, List<Object> parts) {
        MessageDigest digest = Sha256.begin();
        digest.update(command.getClass().getSimpleName().getBytes(StandardCharsets.UTF_8));
        for (Object part : parts) {
            digest.update((byte) 0);
            digest.update(part instanceof byte[] bytes ? bytes : part.toString().getBytes(StandardCharsets.UTF_8));
        }
        return HexFormat.of().formatHex(digest.digest());
    }
}
