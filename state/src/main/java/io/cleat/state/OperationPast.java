package io.cleat.state;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What is kept of a call's tries, over all of them.
 *
 * @param unknownSince when its effect first became unknown; null if it never was, or if a program before feature level
 *     5 wrote the row
 * @param endedRuns how many runs of the plugin ended during it
 * @param waitsForPerson whether it is not made again before a person asks for it
 * @param cancelling whether a person asked for it to be undone
 */
public record OperationPast(@Nullable Instant unknownSince, int endedRuns, boolean waitsForPerson, boolean cancelling) {
    /** Of a call that was not made yet, or of which nothing is known. */
    public static final OperationPast NONE = new OperationPast(null, 0, false, false);

    /** Unknown from now on, unless it was unknown before. */
    public OperationPast unknownFrom(Instant at) {
        return new OperationPast(firstUnknown(at), endedRuns, waitsForPerson, cancelling);
    }

    /** Since when it is unknown, if it is at that instant. */
    public Instant firstUnknown(Instant at) {
        return unknownSince == null ? at : unknownSince;
    }

    /** One more run of the plugin ended during the call. */
    public OperationPast runEnded(boolean waits) {
        return new OperationPast(unknownSince, endedRuns + 1, waits, cancelling);
    }

    /** It is made again, whether or not it waited for a person. */
    public OperationPast waitsForNobody() {
        return new OperationPast(unknownSince, endedRuns, false, cancelling);
    }

    /** A person asked for it to be undone. */
    public OperationPast cancelled() {
        return new OperationPast(unknownSince, endedRuns, waitsForPerson, true);
    }

    /**
     * What may be left out while a member cannot read it: it is told less well. That it is being cancelled is not left
     * out.
     */
    public OperationPast withoutTold() {
        return new OperationPast(null, 0, false, cancelling);
    }
}
