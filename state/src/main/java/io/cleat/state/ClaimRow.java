package io.cleat.state;

import io.cleat.model.BlockedBy;
import io.cleat.model.MountOptions;
import io.cleat.model.VolumeId;
import io.cleat.model.VolumeModes;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An allocation's right to use a volume, or its place in the queue for it.
 *
 * @param modes those asked for while waiting, the effective ones from the grant on
 * @param mountOptions the volume's overlaid by the request's, fixed at the grant
 * @param bootId of the node at the grant: another one proves that nothing of this claim is left
 *     there; empty while waiting
 * @param epoch the version that granted it; 0 while waiting
 * @param since when it came into its state
 * @param blockedBy what it waits for; present unless granted
 */
public record ClaimRow(
        ClaimId id,
        VolumeId volume,
        VolumeKey key,
        String nodeId,
        boolean readOnly,
        VolumeModes modes,
        MountOptions mountOptions,
        String bootId,
        long epoch,
        ClaimState state,
        Instant since,
        @Nullable BlockedBy blockedBy,
        long createVersion,
        long modifyVersion)
        implements Row<ClaimRow> {
    public String allocId() {
        return id.allocId();
    }

    public String alias() {
        return id.alias();
    }

    /** Whether the volume counts as used by it. */
    public boolean holds() {
        return state.holds();
    }

    /** This claim, granted by the entry that will get {@code version}. */
    public ClaimRow granted(
            VolumeModes effective, MountOptions options, String boot, long version, Instant at) {
        return new ClaimRow(
                id,
                volume,
                key,
                nodeId,
                readOnly,
                effective,
                options,
                boot,
                version,
                ClaimState.LIFE.move(state, ClaimState.GRANTED),
                at,
                null,
                createVersion,
                modifyVersion);
    }

    public ClaimRow releasing(BlockedBy reason, Instant at) {
        return new ClaimRow(
                id,
                volume,
                key,
                nodeId,
                readOnly,
                modes,
                mountOptions,
                bootId,
                epoch,
                ClaimState.LIFE.move(state, ClaimState.RELEASING),
                state == ClaimState.RELEASING ? since : at,
                reason,
                createVersion,
                modifyVersion);
    }

    /** The same claim after its node has booted. */
    public ClaimRow onBoot(String newBootId) {
        return new ClaimRow(
                id,
                volume,
                key,
                nodeId,
                readOnly,
                modes,
                mountOptions,
                newBootId,
                epoch,
                state,
                since,
                blockedBy,
                createVersion,
                modifyVersion);
    }

    public ClaimRow blockedBy(BlockedBy reason) {
        return new ClaimRow(
                id,
                volume,
                key,
                nodeId,
                readOnly,
                modes,
                mountOptions,
                bootId,
                epoch,
                state,
                since,
                reason,
                createVersion,
                modifyVersion);
    }

    @Override
    public ClaimRow stamped(long newCreate, long newModify) {
        return new ClaimRow(
                id,
                volume,
                key,
                nodeId,
                readOnly,
                modes,
                mountOptions,
                bootId,
                epoch,
                state,
                since,
                blockedBy,
                newCreate,
                newModify);
    }
}
