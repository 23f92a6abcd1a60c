package io.cleat.localplugin;

import java.util.Map;

/**
 * Refuses calls that come out of the order of CSI's volume life cycle though they could be served: what
 * {@code --check-lifecycle} turns on, for orchestrators that want to know about their faults. What would harm (publish
 * before stage, unstage or delete while in use) is refused always.
 */
final class Lifecycle {
    /** In the publish context of a read-only attachment. */
    static final String READ_ONLY = "readonly";

    private final boolean checked;
    private final String node;

    Lifecycle(boolean checked, String node) {
        this.checked = checked;
        this.node = node;
    }

    /** Before NodeStageVolume and NodePublishVolume. */
    void requireAttached(Volume volume, Map<String, String> publishContext) throws CallRefused {
        if (!checked) {
            return;
        }
        Uses.Attachment attachment = volume.uses()
                .attachmentTo(node)
                .orElseThrow(() -> outOfOrder("volume "
                        + volume.id()
                        + " is not attached to node "
                        + node
                        + "; ControllerPublishVolume comes first"));
        if (attachment.readOnly() != isReadOnly(publishContext)) {
            throw outOfOrder(
                    "publish_context is not the one that ControllerPublishVolume answered for volume " + volume.id());
        }
    }

    /** Before ControllerUnpublishVolume; {@code seen} is where the volume is mounted here. */
    void requireUnstaged(Volume volume, String detachedNode, Seen seen) throws CallRefused {
        if (!checked) {
            return;
        }
        boolean isMounted = detachedNode.equals(node) && volume.type() != VolumeType.BLOCK;
        boolean staged = isMounted
                ? !seen.mounts().isEmpty()
                : volume.uses().stagingOn(detachedNode).isPresent();
        if (staged) {
            throw outOfOrder(
                    "volume " + volume.id() + " is staged on node " + detachedNode + "; NodeUnstageVolume comes first");
        }
    }

    static boolean isReadOnly(Map<String, String> publishContext) {
        return "true".equals(publishContext.get(READ_ONLY));
    }

    private static CallRefused outOfOrder(String sentence) {
        return CallRefused.tooSoon(sentence + " (--check-lifecycle)");
    }
}
