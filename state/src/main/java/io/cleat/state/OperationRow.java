package io.cleat.state;

import io.cleat.base.Since;
import io.cleat.model.BlockedBy;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A controller call: logged before it is sent, so that no crash orphans what a plugin made.
 *
 * @param nodeId where the instance runs that makes the call
 * @param allocId the instance
 * @param reign in which it was last sent; 0 before
 * @param wasUnknown whether one of its tries may have had an effect that nobody saw: then only a success settles it
 * @param outcome present once done
 * @param tries how often it was sent
 * @param nextTry when to send it again; null for at once
 * @param since when it came into its state
 * @param blockedBy what it waits for; present unless done
 * @param past what is kept of its tries; a row of an earlier version has none
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
        @Since(5) OperationPast past,
        long createVersion,
        long modifyVersion)
        implements Row<OperationRow> {
    public OperationRow {
        past = Objects.requireNonNullElse(past, OperationPast.NONE);
    }

    public boolean isDone() {
        return state == OperationState.DONE;
    }

    public OperationRow sent(long inReign, BlockedBy reason, Instant at) {
        return edit().sentIn(inReign)
                .state(OperationState.SENT, at)
                .waits(null, reason)
                .done();
    }

    /** Surely without effect, and to be sent again. */
    public OperationRow again(Instant next, BlockedBy reason, Instant at) {
        return edit().state(OperationState.LOGGED, at).waits(next, reason).done();
    }

    public OperationRow unknown(Instant next, BlockedBy reason, Instant at) {
        return edit().state(OperationState.UNKNOWN, at)
                .past(past.unknownFrom(at))
                .waits(next, reason)
                .done();
    }

    public OperationRow withPast(OperationPast newPast) {
        return edit().past(newPast).done();
    }

    /** Since when its effect is unknown, over all tries: each sets {@link #since} anew. */
    public Instant unknownSince() {
        Instant first = past.unknownSince();
        return first == null ? since : first;
    }

    public OperationRow done(OperationOutcome how, Instant at) {
        return edit().state(OperationState.DONE, at)
                .outcome(how)
                .waits(null, null)
                .done();
    }

    /** The same call, made through another instance. */
    public OperationRow through(String node, String alloc) {
        return edit().through(node, alloc).done();
    }

    /** The same state, with other words for what it waits for. */
    public OperationRow blockedBy(BlockedBy reason) {
        return edit().waits(nextTry, reason).done();
    }

    @Override
    public OperationRow stamped(long newCreate, long newModify) {
        return edit().versions(newCreate, newModify).done();
    }

    private OperationDraft edit() {
        return new OperationDraft(this);
    }
}
