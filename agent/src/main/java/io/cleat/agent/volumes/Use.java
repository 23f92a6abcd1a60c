package io.cleat.agent.volumes;

import io.cleat.model.AttachmentMode;
import io.cleat.model.VolumeId;
import io.cleat.model.VolumeModes;
import io.cleat.wire.ToServer.VolumePhase;
import java.nio.file.Path;

/**
 * One allocation's use of a volume on this node.
 *
 * @param hostPath the target on the host
 * @param pluginPath the target as the plugin was told
 * @param nodeId what the provider called this node when this was begun
 */
record Use(
        String allocId,
        String alias,
        VolumeId volume,
        long epoch,
        VolumeModes modes,
        boolean readOnly,
        Phase phase,
        String hostPath,
        String pluginPath,
        String nodeId) {
    enum Phase {
        /** It counts as a user of the staging; nothing was published. */
        PREPARING,
        /** NodePublishVolume was or is about to be sent. */
        PUBLISHING,
        /** Published, and seen: in the mount table, or as a device file. */
        PUBLISHED,
        /** NodeUnpublishVolume was or is about to be sent. */
        UNPUBLISHING,
        /** The target is unmounted; its directory or file may be there. */
        UNPUBLISHED,
        /** It was prepared, and is not wanted; NodePublishVolume was never sent. */
        DROPPED,
        /** Nothing of it is left but the staging, whose last user it was. */
        LEAVING
    }

    /** Whether its target is not one to be removed, or removed. */
    boolean needsTarget() {
        return switch (phase) {
            case PREPARING, PUBLISHING, PUBLISHED, UNPUBLISHING -> true;
            case UNPUBLISHED, DROPPED, LEAVING -> false;
        };
    }

    Use at(Phase next) {
        return new Use(allocId, alias, volume, epoch, modes, readOnly, next, hostPath, pluginPath, nodeId);
    }

    Use granted(long newEpoch) {
        return new Use(allocId, alias, volume, newEpoch, modes, readOnly, phase, hostPath, pluginPath, nodeId);
    }

    boolean isDevice() {
        return modes.attachment() == AttachmentMode.BLOCK_DEVICE;
    }

    boolean is(String ofAlloc, String ofAlias) {
        return allocId.equals(ofAlloc) && alias.equals(ofAlias);
    }

    /** Whether it goes forward or stays: the staging is for it. */
    boolean isWanted() {
        return phase == Phase.PREPARING || phase == Phase.PUBLISHING || phase == Phase.PUBLISHED;
    }

    Path host() {
        return Path.of(hostPath);
    }

    Publication publication() {
        return new Publication(allocId, alias, volume, epoch, host(), readOnly);
    }

    VolumePhase told() {
        return switch (phase) {
            case PREPARING, PUBLISHING -> VolumePhase.MOUNTING;
            case PUBLISHED -> VolumePhase.PUBLISHED;
            case UNPUBLISHING, UNPUBLISHED, DROPPED, LEAVING -> VolumePhase.UNMOUNTING;
        };
    }
}
