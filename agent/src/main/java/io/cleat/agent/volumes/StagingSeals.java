package io.cleat.agent.volumes;

import io.cleat.base.KernelTrouble;
import io.cleat.kernel.Mount;
import io.cleat.kernel.Place;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Seals directories of stagings that a process of a plugin holds: the mount may go with the process, and nobody is to
 * write in the bare directory below, which is in no volume. Called with the volume's turn.
 */
final class StagingSeals {
    private static final Logger LOG = LoggerFactory.getLogger(StagingSeals.class);

    private final VolumeParts parts;

    StagingSeals(VolumeParts parts) {
        this.parts = parts;
    }

    /**
     * Seals, where the file system has that, what is mounted on. To be written down before as staged with that mount,
     * or nobody knows that it is to be undone.
     */
    void make(NodePlugin plugin, VolumeKey key, Staging staging, Mount mount) throws InterruptedException {
        if (plugin.onMountLoss() == null && !mount.fsType().startsWith("fuse")) {
            return;
        }
        try {
            parts.paths().plugin(key.pluginId()).seal(place(staging), parts.forPath());
        } catch (KernelTrouble trouble) {
            LOG.warn("{} is not sealed: {}", staging.hostPath(), trouble.reason());
        }
    }

    /** Before a plugin is called that may remove the directory, or change its mode. */
    void undo(String step, VolumeKey key, Staging staging) throws StepBlocked, InterruptedException {
        if (staging.mounted() == null) {
            return;
        }
        try {
            parts.paths().plugin(key.pluginId()).unseal(place(staging), parts.forPath());
        } catch (KernelTrouble trouble) {
            throw StepBlocked.again(step, trouble.reason(), "it is tried again");
        }
    }

    private Place place(Staging staging) {
        return Place.of(parts.root(), staging.host());
    }
}
