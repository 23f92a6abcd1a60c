package io.cleat.api;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Why a volume is as it is, in the same words everywhere: {@code GET /v1/volume/csi/:id/why}, which Nomad does not
 * have.
 *
 * @param Claims who holds or waits for the volume, oldest first
 * @param Events the last calls that were made for it, oldest first
 * @param State one sentence about the whole volume
 * @param Waiting what waits without being a claim: evaluations, releases, plugin calls
 */
public record VolumeWhy(
        List<Claim> Claims, List<Event> Events, String ID, String Namespace, String State, List<Waiting> Waiting) {
    /**
     * One claim.
     *
     * @param BlockedBy what it waits for; null while it waits for nothing
     * @param Epoch the version of its grant; 0 while it waits
     * @param State waiting, granted or releasing
     * @param Step what is being done for it, such as {@code stage}; empty when nothing is
     */
    public record Claim(
            String AccessMode,
            String AllocID,
            String AllocName,
            @Nullable Waiting BlockedBy,
            long Epoch,
            String JobID,
            String NodeID,
            String NodeName,
            boolean ReadOnly,
            @Nullable Instant Since,
            String State,
            String Step) {}

    /** One call that was made for the volume; {@code Duration} in ns. */
    public record Event(
            String Call,
            String Code,
            long Duration,
            String Message,
            String NodeID,
            @Nullable Instant Time) {}

    /**
     * What something waits for: the model's {@code BlockedBy}.
     *
     * @param NextTry null if it goes on by itself once the holder is gone
     * @param What who waits, such as {@code evaluation 1f2e..}; empty inside a claim
     */
    public record Waiting(
            String Hint,
            String Holder,
            @Nullable Instant NextTry,
            @Nullable Instant Since,
            String Step,
            String What) {}
}
