package io.cleat.agent.alloc;

import io.cleat.base.Ordered;
import io.cleat.base.Refusal;
import io.cleat.base.Refused;
import io.cleat.model.BlockedBy;
import io.cleat.model.ClientStatus;
import io.cleat.model.DesiredStatus;
import io.cleat.wire.ToNode;
import io.cleat.wire.ToServer;
import io.cleat.wire.ToServer.VolumePhase;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * An allocation that this agent does not take over. Its tasks go on in their shims, its volumes stay mounted and
 * claimed, and nothing of it is undone: it is told as it was last, with the reason, so that no server takes it for
 * ended and starts a second writer.
 *
 * <p>Any thread.
 */
final class QuarantinedAllocation {
    private final String allocId;
    private final @Nullable KnownAllocation known;
    private final String why;
    private final String wayOn;
    private final Map<String, VolumePhase> phases;
    private final Instant since;
    private volatile boolean isToEnd;

    /**
     * @param known what is written down of it; null if that cannot be read
     * @param why a clause, such as {@code this agent ended twice ...}
     * @param wayOn what a person can do, as an imperative
     * @param phases how far its volumes are by the journal, by alias
     * @param since when this agent started
     */
    QuarantinedAllocation(
            String allocId,
            @Nullable KnownAllocation known,
            String why,
            String wayOn,
            Map<String, VolumePhase> phases,
            Instant since) {
        this.allocId = allocId;
        this.known = known;
        this.why = why;
        this.wayOn = wayOn;
        this.phases = Ordered.copyOf(phases);
        this.since = since;
        this.isToEnd = known != null && known.desired() != DesiredStatus.RUN;
    }

    /** Takes what the server wants of it, which waits. Returns whether its end is wanted now. */
    boolean assigned(ToNode.Assignment assignment) {
        return toEnd(assignment.desired() != DesiredStatus.RUN);
    }

    /** The server wants no more of it, which waits. Returns whether that is new. */
    boolean unwanted() {
        return toEnd(true);
    }

    private boolean toEnd(boolean isWanted) {
        boolean isNew = isWanted && !isToEnd;
        isToEnd = isWanted;
        return isNew;
    }

    /** What a person is told of it, in sentences. */
    String description() {
        return "quarantined: "
                + why
                + "; its tasks go on unwatched and its volumes stay mounted. "
                + (isToEnd ? "It is to end, and that waits too. " : "")
                + wayOn;
    }

    /** What is said to who asks something of it. */
    Refused refused() {
        return new Refused(new Refusal.Conflict("allocation " + allocId + " is " + description()));
    }

    /** How it was last. One that cannot be read is said to run: its tasks may, and only what ended frees its claims. */
    ToServer.AllocReport report() {
        if (known == null) {
            return new ToServer.AllocReport(
                    allocId, ClientStatus.RUNNING, description(), Map.of(), Map.of(), null, null);
        }
        Map<String, ToServer.VolumeReport> volumes = new TreeMap<>();
        known.volumes().forEach((alias, volume) -> {
            VolumePhase phase = phase(known, alias);
            volumes.put(alias, new ToServer.VolumeReport(volume, 0, phase, 0, waitingFor(phase)));
        });
        KnownAllocation.Watch watch = known.watch();
        return new ToServer.AllocReport(
                allocId,
                known.status(),
                description(),
                known.states(),
                volumes,
                watch == null ? null : watch.found(),
                known.address());
    }

    private VolumePhase phase(KnownAllocation of, String alias) {
        return phases.getOrDefault(alias, of.ended() ? VolumePhase.UNPUBLISHED : VolumePhase.NONE);
    }

    private @Nullable BlockedBy waitingFor(VolumePhase phase) {
        return phase == VolumePhase.UNPUBLISHED
                ? null
                : new BlockedBy("takeover", "quarantine of allocation " + allocId, since, null, wayOn);
    }
}
