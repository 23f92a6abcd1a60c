package io.cleat.model;

import io.cleat.base.Since;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Says that a task is a storage plugin.
 *
 * @param mountDir where the task sees the directory of its socket; {@code /csi} by default
 * @param stagePublishBaseDir where the task sees the volume root; {@code /local/csi} by default
 * @param healthTimeout how long the plugin may take to become healthy; 30 s by default
 * @param onMountLoss what is done about mounts that die with the plugin's processes, as those of FUSE file systems;
 *     null for a plugin whose mounts outlive it
 * @param overlap whether a new instance of its node service may start on a node while the one that it replaces still
 *     runs there
 */
public record CsiPluginSpec(
        String id,
        PluginType type,
        String mountDir,
        String stagePublishBaseDir,
        Duration healthTimeout,
        @Nullable MountLoss onMountLoss,
        @Since(5) boolean overlap) {

    /** A plugin whose instances follow each other on a node. */
    public CsiPluginSpec(
            String id,
            PluginType type,
            String mountDir,
            String stagePublishBaseDir,
            Duration healthTimeout,
            @Nullable MountLoss onMountLoss) {
        this(id, type, mountDir, stagePublishBaseDir, healthTimeout, onMountLoss, false);
    }
}
