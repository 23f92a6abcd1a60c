package io.cleat.state;

import io.cleat.model.BlockedBy;
import io.cleat.model.VolumeId;
import io.cleat.model.VolumeModes;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What the controller's publish call made, or may have made: a provider's volume on a node.
 *
 * @param externalNodeId the provider's id of the node
 * @param publishContext what the call answered, byte for byte; none before it answered
 * @param since when it came into its state
 * @param blockedBy what it waits for; present unless attached
 */
public record AttachmentRow(
        AttachmentId id,
        VolumeId volume,
        String externalNodeId,
        boolean readOnly,
        VolumeModes modes,
        Encrypted publishContext,
        AttachmentState state,
        Instant since,
        @Nullable BlockedBy blockedBy,
        long createVersion,
        long modifyVersion)
        implements Row<AttachmentRow> {
    /**
     * Whether a claim on its node may use it. One that it does not cover is granted the same volume in another way, and
     * needs an attachment of its own after this one is detached (CSI specification, ControllerPublishVolume,
     * ALREADY_EXISTS).
     */
    public boolean covers(ClaimRow claim) {
        return covers(claim.modes(), claim.readOnly());
    }

    /** Whether a claim that holds its volume on its node uses it. */
    public boolean isFor(ClaimRow claim) {
        return claim.holds() && claim.key().equals(id.key()) && claim.nodeId().equals(id.nodeId()) && covers(claim);
    }

    /** As {@link #covers(ClaimRow)}, for a claim that is not made yet. */
    public boolean covers(VolumeModes claimed, boolean claimedReadOnly) {
        return modes.equals(claimed) && (claimedReadOnly || !readOnly);
    }

    public AttachmentRow moved(AttachmentState next, Encrypted context, @Nullable BlockedBy reason, Instant at) {
        return new AttachmentRow(
                id,
                volume,
                externalNodeId,
                readOnly,
                modes,
                context,
                AttachmentState.LIFE.move(state, next),
                next == state ? since : at,
                reason,
                createVersion,
                modifyVersion);
    }

    @Override
    public AttachmentRow stamped(long newCreate, long newModify) {
        return new AttachmentRow(
                id,
                volume,
                externalNodeId,
                readOnly,
                modes,
                publishContext,
                state,
                since,
                blockedBy,
                newCreate,
                newModify);
    }
}
