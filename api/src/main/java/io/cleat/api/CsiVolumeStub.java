package io.cleat.api;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A CSI volume as a list shows it. Times in ns since the epoch. */
public record CsiVolumeStub(
        String AccessMode,
        String AttachmentMode,
        boolean ControllerRequired,
        int ControllersExpected,
        int ControllersHealthy,
        long CreateIndex,
        long CreateTime,
        int CurrentReaders,
        int CurrentWriters,
        String ExternalID,
        String ID,
        long ModifyIndex,
        long ModifyTime,
        String Name,
        String Namespace,
        int NodesExpected,
        int NodesHealthy,
        String PluginID,
        String Provider,
        @Nullable Instant ResourceExhausted,
        boolean Schedulable,
        @Nullable List<@Nullable CsiTopology> Topologies) {}
