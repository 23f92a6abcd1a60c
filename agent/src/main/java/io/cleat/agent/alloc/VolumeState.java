package io.cleat.agent.alloc;

import io.cleat.agent.volumes.GrantedClaim;
import io.cleat.agent.volumes.Publication;
import io.cleat.model.BlockedBy;
import io.cleat.wire.ToNode;
import io.cleat.wire.ToServer.VolumePhase;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How one volume of an allocation stands: its grant, its step that is under way, where it is published, and what it
 * waits for.
 *
 * <p>Guarded by the lock of its {@link VolumeSteps}.
 */
final class VolumeState {
    private final String allocId;
    private final String alias;

    private VolumePhase phase;
    private long epoch;
    private @Nullable BlockedBy waitingFor;

    /** The last that had a grant: its modes and options are final only with that. */
    private ToNode.@Nullable AssignedVolume granted;

    private @Nullable Path published;
    private @Nullable Thread worker;

    /** Whether the step that is under way waits for a grant. */
    private boolean awaitsGrant;

    /** @param epoch of the grant by which it came to that phase; 0 for none */
    VolumeState(String allocId, String alias, VolumePhase phase, long epoch) {
        this.allocId = allocId;
        this.alias = alias;
        this.phase = phase;
        this.epoch = epoch;
    }

    VolumePhase phase() {
        return phase;
    }

    long epoch() {
        return epoch;
    }

    @Nullable
    BlockedBy waitingFor() {
        return waitingFor;
    }

    /** Where it is published; empty while it is not. */
    Optional<Path> published() {
        return Optional.ofNullable(published);
    }

    /** Takes what the server says of it. */
    void assigned(ToNode.AssignedVolume volume) {
        boolean isGranted = volume.grant() != null;
        if (isGranted) {
            granted = volume;
        }
        boolean isSaid = isGranted || volume.waitingFor() != null;
        if (phase == VolumePhase.NONE || (awaitsGrant && isSaid)) {
            waitingFor = volume.waitingFor();
        }
    }

    /** Its last grant; empty before the first. */
    Optional<ToNode.Grant> grant() {
        return Optional.ofNullable(granted).map(ToNode.AssignedVolume::grant);
    }

    /** What a plugin is called with, by its last grant; empty before the first. */
    Optional<GrantedClaim> claim() {
        return grant().map(this::claim);
    }

    private GrantedClaim claim(ToNode.Grant grant) {
        ToNode.AssignedVolume volume = Objects.requireNonNull(granted);
        return new GrantedClaim(
                allocId,
                alias,
                volume.volume(),
                volume.pluginId(),
                volume.externalId(),
                volume.readOnly(),
                volume.modes(),
                volume.mountOptions(),
                volume.context(),
                grant.epoch(),
                grant.publishContext(),
                grant.secrets());
    }

    /** The next step waits for a grant: of a volume that was mounted before, that is said. */
    void awaitsGrant(BlockedBy noWord) {
        awaitsGrant = true;
        if (phase != VolumePhase.NONE) {
            waitingFor = noWord;
        }
    }

    void awaitsNoGrant() {
        awaitsGrant = false;
    }

    /**
     * It is published already.
     *
     * @param noWord what it waits for if it is to be mounted anew, and waits for its grant
     */
    void found(Publication there, BlockedBy noWord) {
        published = there.path();
        phase = VolumePhase.PUBLISHED;
        epoch = there.epoch();
        waitingFor = awaitsGrant ? noWord : null;
    }

    void publishedAt(Path path) {
        published = path;
    }

    /** It is not published, or not any more. */
    void lost() {
        published = null;
    }

    /** It has come to a phase by its grant. */
    void at(VolumePhase reached, @Nullable BlockedBy reason) {
        epoch = grant().map(ToNode.Grant::epoch).orElse(epoch);
        phase = reached;
        waitingFor = reason;
    }

    void waits(BlockedBy reason) {
        waitingFor = reason;
    }

    /** Whether a step is under way. */
    boolean isAtWork() {
        return worker != null;
    }

    void works(Thread thread) {
        worker = thread;
    }

    void worksNoMore() {
        worker = null;
    }

    /** Interrupts the step that is under way, if one is. */
    void interrupt() {
        if (worker != null) {
            worker.interrupt();
        }
    }
}
