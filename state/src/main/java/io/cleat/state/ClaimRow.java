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
 * @param bootId of the node at the grant: another one proves that nothing of this claim is left there; empty while
 *     waiting
 * @param epoch the version that granted it; 0 while waiting
 * @param since when it came into its state
 * @param blockedBy what it waits for; absent once it is granted and nothing is to be attached for it, or an
 *     attachment's row tells the rest
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

    /** The attachment that it uses, where its plugin attaches. */
    AttachmentId attachment() {
        return new AttachmentId(key, nodeId);
    }

    /** Whether the volume counts as used by it. */
    public boolean holds() {
        return state.holds();
    }

    /** This claim, granted by the entry that will get {@code version}. */
    public ClaimRow granted(VolumeModes effective, MountOptions options, String boot, long version, Instant at) {
        return edit().used(effective, options)
                .bootId(boot)
                .epoch(version)
                .state(ClaimState.GRANTED, at)
                .blockedBy(null)
                .done();
    }

    public ClaimRow releasing(BlockedBy reason, Instant at) {
        return edit().state(ClaimState.RELEASING, at).blockedBy(reason).done();
    }

    /** The same claim after its node has booted. */
    public ClaimRow onBoot(String newBootId) {
        return edit().bootId(newBootId).done();
    }

    public ClaimRow blockedBy(@Nullable BlockedBy reason) {
        return edit().blockedBy(reason).done();
    }

    @Override
    public ClaimRow stamped(long newCreate, long newModify) {
        return edit().versions(newCreate, newModify).done();
    }

    private ClaimDraft edit() {
        return new ClaimDraft(this);
    }
}
