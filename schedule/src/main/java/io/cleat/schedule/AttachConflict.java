package io.cleat.schedule;

import io.cleat.model.AccessMode;
import io.cleat.model.ControllerCapability;
import io.cleat.model.VolumeModes;
import io.cleat.state.AttachmentId;
import io.cleat.state.AttachmentRow;
import io.cleat.state.AttachmentState;
import io.cleat.state.ClusterState;
import io.cleat.state.VolumeKey;
import java.util.Optional;

/**
 * Which attachment has to be detached before a volume can be attached to a node for a claim (CSI specification,
 * ControllerPublishVolume and VolumeCapability.AccessMode). It stays for as long as claims on its node use it, also
 * where the claims alone would leave room: a writer joins no readers whose attachment is read-only, nor a volume that
 * is attached for writing to another node, though only readers are left there.
 */
public final class AttachConflict {
    private AttachConflict() {}

    /** The attachment in the way; empty if there is none, or the one that is there will do. */
    public static Optional<AttachmentRow> of(
            ClusterState state, VolumeKey key, VolumeModes modes, boolean readOnly, String nodeId) {
        Optional<AttachmentRow> own = state.attachments().get(new AttachmentId(key, nodeId));
        if (own.isPresent()) {
            return own.filter(row -> row.state() == AttachmentState.DETACHING || !row.covers(modes, readOnly));
        }
        // Of a plugin that attaches nothing read-only, each attachment is one for writing.
        boolean onlyOneWrites = !readOnly
                && modes.access() == AccessMode.MULTI_NODE_SINGLE_WRITER
                && PluginHealth.of(state, key.pluginId()).can(ControllerCapability.PUBLISH_READONLY);
        return state.attachments().of(key).stream()
                .filter(other -> modes.access().isSingleNode()
                        || other.modes().access().isSingleNode()
                        || (onlyOneWrites && writes(other)))
                .findFirst();
    }

    private static boolean writes(AttachmentRow attachment) {
        return attachment.modes().access() == AccessMode.MULTI_NODE_SINGLE_WRITER && !attachment.readOnly();
    }
}
