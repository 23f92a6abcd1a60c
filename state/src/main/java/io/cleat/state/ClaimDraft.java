package io.cleat.state;

import io.cleat.model.BlockedBy;
import io.cleat.model.MountOptions;
import io.cleat.model.VolumeModes;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Parts of a {@link ClaimRow} to change. Used by one thread, once. */
final class ClaimDraft {
    private final ClaimRow from;
    private VolumeModes modes;
    private MountOptions mountOptions;
    private String bootId;
    private long epoch;
    private ClaimState state;
    private Instant since;
    private @Nullable BlockedBy blockedBy;
    private long createVersion;
    private long modifyVersion;

    ClaimDraft(ClaimRow from) {
        this.from = from;
        this.modes = from.modes();
        this.mountOptions = from.mountOptions();
        this.bootId = from.bootId();
        this.epoch = from.epoch();
        this.state = from.state();
        this.since = from.since();
        this.blockedBy = from.blockedBy();
        this.createVersion = from.createVersion();
        this.modifyVersion = from.modifyVersion();
    }

    ClaimDraft used(VolumeModes effective, MountOptions options) {
        modes = effective;
        mountOptions = options;
        return this;
    }

    ClaimDraft bootId(String id) {
        bootId = id;
        return this;
    }

    ClaimDraft epoch(long version) {
        epoch = version;
        return this;
    }

    /** Moves it on as {@link ClaimState#LIFE} allows; {@code since} stays if it is there already. */
    ClaimDraft state(ClaimState next, Instant at) {
        since = next == state ? since : at;
        state = ClaimState.LIFE.move(state, next);
        return this;
    }

    ClaimDraft blockedBy(@Nullable BlockedBy reason) {
        blockedBy = reason;
        return this;
    }

    ClaimDraft versions(long create, long modify) {
        createVersion = create;
        modifyVersion = modify;
        return this;
    }

    ClaimRow done() {
        return new ClaimRow(
                from.id(),
                from.volume(),
                from.key(),
                from.nodeId(),
                from.readOnly(),
                modes,
                mountOptions,
                bootId,
                epoch,
                state,
                since,
                blockedBy,
                createVersion,
                modifyVersion);
    }
}
