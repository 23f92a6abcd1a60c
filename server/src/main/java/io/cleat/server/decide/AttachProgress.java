package io.cleat.server.decide;

import io.cleat.model.BlockedBy;
import io.cleat.schedule.PluginHealth;
import io.cleat.state.AttachmentId;
import io.cleat.state.AttachmentRow;
import io.cleat.state.ClaimRow;
import io.cleat.state.ClusterState;
import io.cleat.state.HoldingRow;
import io.cleat.state.HostVolumeRow;
import io.cleat.state.VolumeProgress;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a granted claim waits for until the attaching of its volume is under way. */
public final class AttachProgress {
    static final String STEP = "attach";

    private AttachProgress() {}

    /**
     * What a claim waits for before anything was done to attach its volume.
     *
     * @return null if nothing is to be attached, or an attachment's row says it
     */
    public static @Nullable BlockedBy of(ClusterState state, ClaimRow claim, Instant since) {
        String plugin = claim.key().pluginId();
        if (HostVolumeRow.isFor(claim.key())) {
            return null;
        }
        Optional<AttachmentRow> there = state.attachments().get(new AttachmentId(claim.key(), claim.nodeId()));
        if (there.isPresent()) {
            return there.get().covers(claim) ? null : behind(state, there.get(), since);
        }
        return switch (PluginHealth.of(state, plugin).attachNeed()) {
            case NOT_NEEDED -> null;
            case NEEDED -> waits("plugin " + plugin, since, "the volume is attached to this node next");
            case UNKNOWN ->
                wasGranted(state, claim)
                        ? null
                        : waits(
                                "plugin " + plugin + ", which no node runs",
                                since,
                                "it goes on once an instance of the plugin is healthy");
        };
    }

    /**
     * Whether the node has begun to mount by this very grant: it was given with no attachment, so none was needed,
     * though no controller is there now to say so.
     */
    private static boolean wasGranted(ClusterState state, ClaimRow claim) {
        return state.allocation(claim.allocId())
                .map(row -> row.seen().volumes().get(claim.alias()))
                .filter(progress -> progress.epoch() == claim.epoch())
                .map(VolumeProgress::phase)
                .filter(phase -> phase == VolumeProgress.Phase.MOUNTING || phase == VolumeProgress.Phase.PUBLISHED)
                .isPresent();
    }

    /** Another attachment, or another way of attaching, is to go first. */
    static BlockedBy behind(ClusterState state, AttachmentRow other, Instant since) {
        boolean isUsed = !Attachments.users(state, other).isEmpty();
        return waits(
                "the volume's "
                        + (other.readOnly() ? "read-only " : "")
                        + "attachment to "
                        + Words.node(state, other.id().nodeId())
                        + ", "
                        + other.state().wire()
                        + " since "
                        + other.since(),
                since,
                isUsed
                        ? "it is attached once the allocations that use it there have ended and it is detached"
                        : "it is attached once it is detached there");
    }

    /** What this cluster does not know holds the volume. */
    public static BlockedBy unknown(ClusterState state, HoldingRow holding, Instant since) {
        return new BlockedBy(
                "claim",
                holding.holder(state) + " holds the volume",
                since,
                null,
                "it goes on once that node says that it is gone; if its machine is off for good, a"
                        + " person frees it with operator recovery -abandon");
    }

    static BlockedBy waits(String holder, Instant since, String hint) {
        return new BlockedBy(STEP, holder, since, null, hint);
    }
}
