package io.cleat.api;

/** Makes a task a storage plugin. {@code HealthTimeout} in ns. */
public record CsiPluginConfig(
        long HealthTimeout, String ID, String MountDir, String StagePublishBaseDir, String Type) {}
