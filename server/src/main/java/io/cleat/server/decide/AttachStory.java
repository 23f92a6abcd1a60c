package io.cleat.server.decide;

import io.cleat.model.BlockedBy;
import io.cleat.schedule.PluginHealth;
import io.cleat.state.AttachmentId;
import io.cleat.state.ClaimRow;
import io.cleat.state.ClusterState;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What a granted claim waits for until the attaching of its volume is under way. */
public final class AttachStory {
    static final String STEP = "attach";

    private AttachStory() {}

    /**
     * The story of a claim before anything was done to attach its volume.
     *
     * @return null if nothing is to be attached, or an attachment's row tells the story
     */
    public static @Nullable BlockedBy of(ClusterState state, ClaimRow claim, Instant since) {
        String plugin = claim.key().pluginId();
        if (state.attachment(new AttachmentId(claim.key(), claim.nodeId())).isPresent()) {
            return null;
        }
        return switch (PluginHealth.of(state, plugin).attachNeed()) {
            case NOT_NEEDED -> null;
            case NEEDED ->
                    waits("plugin " + plugin, since, "the volume is attached to this node next");
            case UNKNOWN ->
                    waits(
                            "plugin " + plugin + ", which no node runs",
                            since,
                            "it goes on once an instance of the plugin is healthy");
        };
    }

    static BlockedBy waits(String holder, Instant since, String hint) {
        return new BlockedBy(STEP, holder, since, null, hint);
    }
}
