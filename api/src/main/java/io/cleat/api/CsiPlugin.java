package io.cleat.api;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A plugin with its instances by node id. The counts follow from jobs (expected) and from nodes (healthy). */
public record CsiPlugin(
        @Nullable List<AllocationStub> Allocations,
        Map<String, Map<String, PluginJob>> ControllerJobs,
        boolean ControllerRequired,
        Map<String, PluginInstance> Controllers,
        int ControllersExpected,
        int ControllersHealthy,
        long CreateIndex,
        long CreateTime,
        String ID,
        long ModifyIndex,
        long ModifyTime,
        Map<String, Map<String, PluginJob>> NodeJobs,
        Map<String, PluginInstance> Nodes,
        int NodesExpected,
        int NodesHealthy,
        String Provider,
        String Version) {}
