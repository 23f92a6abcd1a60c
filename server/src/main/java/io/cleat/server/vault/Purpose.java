package io.cleat.server.vault;

import io.cleat.model.VariableId;
import io.cleat.model.VolumeId;
import io.cleat.state.AttachmentId;

/**
 * What secrets belong to. It is bound to the ciphertext, so that nobody can move one volume's secrets to another.
 *
 * @param text never changes for what is stored
 */
public record Purpose(String text) {
    /** The secrets of a volume, also while it is created or deleted. */
    public static Purpose volume(VolumeId id) {
        return new Purpose("volume " + id.namespace() + "/" + id.id());
    }

    /** The items of a variable. */
    public static Purpose variable(VariableId id) {
        return new Purpose("variable " + id.namespace() + "/" + id.path());
    }

    /** The secrets of a call about a snapshot, which belongs to no volume of ours. */
    public static Purpose snapshot(String snapshotId) {
        return new Purpose("snapshot " + snapshotId);
    }

    /** What the provider answered when it attached a volume. */
    public static Purpose publishContext(AttachmentId id) {
        return new Purpose(
                "publish-context " + id.key().pluginId() + "/" + id.key().externalId() + " " + id.nodeId());
    }
}
