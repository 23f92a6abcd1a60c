package io.cleat.api;

/** A dynamic host volume as a list shows it; see {@link HostVolume}. */
public record HostVolumeStub(
        long CapacityBytes,
        long CreateIndex,
        long CreateTime,
        String ID,
        long ModifyIndex,
        long ModifyTime,
        String Name,
        String Namespace,
        String NodeID,
        String NodePool,
        String PluginID,
        String State) {}
