package io.cleat.state;

import io.cleat.model.BlockedBy;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A controller call: logged before it is sent, so that no crash orphans what a plugin made.
 *
 * @param nodeId where the instance runs that makes the call
 * @param allocId the instance
 * @param reign in which it was last sent; 0 before
 * @param wasUnknown whether one of its tries may have had an effect that nobody saw: then only a
 *     success settles it
 * @param outcome present once done
 * @param tries how often it was sent
 * @param nextTry when to send it again; null for at once
 * @param since when it came into its state
 * @param blockedBy what it waits for; present unless done
 */
public record OperationRow(
        String id,
        String pluginId,
        String nodeId,
        String allocId,
        long reign,
        OperationCall call,
        OperationState state,
        boolean wasUnknown,
        @Nullable OperationOutcome outcome,
        int tries,
        @Nullable Instant nextTry,
        Instant since,
        @Nullable BlockedBy blockedBy,
        long createVersion,
        long modifyVersion)
        implements Row<OperationRow> {
    public boolean isDone() {
        return state == OperationState.DONE;
    }

    public OperationRow sent(long inReign, BlockedBy reason, Instant at) {
        return moved(OperationState.SENT, inReign, tries + 1, null, null, reason, at);
    }

    /** Surely without effect, and to be sent again. */
    public OperationRow again(Instant next, BlockedBy reason, Instant at) {
        return moved(OperationState.LOGGED, reign, tries, null, next, reason, at);
    }

    public OperationRow unknown(Instant next, BlockedBy reason, Instant at) {
        return moved(OperationState.UNKNOWN, reign, tries, null, next, reason, at);
    }

    public OperationRow done(OperationOutcome how, Instant at) {
        return moved(OperationState.DONE, reign, tries, how, null, null, at);
    }

    /** The same call, made through another instance. */
    public OperationRow through(String node, String alloc) {
        return new OperationRow(
                id,
                pluginId,
                node,
                alloc,
                reign,
                call,
                state,
                wasUnknown,
                outcome,
                tries,
                nextTry,
                since,
                blockedBy,
                createVersion,
                modifyVersion);
    }

    private OperationRow moved(
            OperationState next,
            long inReign,
            int nowTries,
            @Nullable OperationOutcome how,
            @Nullable Instant when,
            @Nullable BlockedBy reason,
            Instant at) {
        return new OperationRow(
                id,
                pluginId,
                nodeId,
                allocId,
                inReign,
                call,
                OperationState.LIFE.move(state, next),
                wasUnknown || next == OperationState.UNKNOWN,
                how,
                nowTries,
                when,
                next == state ? since : at,
                reason,
                createVersion,
                modifyVersion);
    }

    @Override
    public OperationRow stamped(long newCreate, long newModify) {
        return new OperationRow(
                id,
                pluginId,
                nodeId,
                allocId,
                reign,
                call,
                state,
                wasUnknown,
                outcome,
                tries,
                nextTry,
                since,
                blockedBy,
                newCreate,
                newModify);
    }
}
