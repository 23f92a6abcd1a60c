package io.cleat.api;

/**
 * Makes a task a storage plugin. {@code HealthTimeout} in ns. Beyond Nomad's: {@code HoldsMounts} says that mounts die
 * with the plugin's processes, {@code OnMountLoss} what is done then, {@code Overlap} that a new instance may start
 * beside the one that it replaces.
 */
public record CsiPluginConfig(
        long HealthTimeout,
        @OmitEmpty boolean HoldsMounts,
        String ID,
        String MountDir,
        @OmitEmpty String OnMountLoss,
        @OmitEmpty boolean Overlap,
        String StagePublishBaseDir,
        String Type) {}
