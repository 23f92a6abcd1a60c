package io.cleat.state;

import io.cleat.model.BlockedBy;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Parts of an {@link OperationRow} to change. Used by one thread, once. */
final class OperationDraft {
    private final OperationRow from;
    private String nodeId;
    private String allocId;
    private long reign;
    private OperationState state;
    private @Nullable OperationOutcome outcome;
    private int tries;
    private @Nullable Instant nextTry;
    private Instant since;
    private @Nullable BlockedBy blockedBy;
    private OperationPast past;
    private long createVersion;
    private long modifyVersion;

    OperationDraft(OperationRow from) {
        this.from = from;
        this.nodeId = from.nodeId();
        this.allocId = from.allocId();
        this.reign = from.reign();
        this.state = from.state();
        this.outcome = from.outcome();
        this.tries = from.tries();
        this.nextTry = from.nextTry();
        this.since = from.since();
        this.blockedBy = from.blockedBy();
        this.past = from.past();
        this.createVersion = from.createVersion();
        this.modifyVersion = from.modifyVersion();
    }

    OperationDraft through(String node, String alloc) {
        nodeId = node;
        allocId = alloc;
        return this;
    }

    OperationDraft sentIn(long inReign) {
        reign = inReign;
        tries++;
        return this;
    }

    /** Moves it on as {@link OperationState#LIFE} allows. */
    OperationDraft state(OperationState next, Instant at) {
        since = next == state ? since : at;
        state = OperationState.LIFE.move(state, next);
        return this;
    }

    OperationDraft outcome(OperationOutcome how) {
        outcome = how;
        return this;
    }

    OperationDraft waits(@Nullable Instant next, @Nullable BlockedBy reason) {
        nextTry = next;
        blockedBy = reason;
        return this;
    }

    OperationDraft past(OperationPast newPast) {
        past = newPast;
        return this;
    }

    OperationDraft versions(long create, long modify) {
        createVersion = create;
        modifyVersion = modify;
        return this;
    }

    OperationRow done() {
        return new OperationRow(
                from.id(),
                from.pluginId(),
                nodeId,
                allocId,
                reign,
                from.call(),
                state,
                from.wasUnknown() || state == OperationState.UNKNOWN,
                outcome,
                tries,
                nextTry,
                since,
                blockedBy,
                past,
                createVersion,
                modifyVersion);
    }
}
