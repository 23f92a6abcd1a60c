package io.cleat.api;

/** A plugin as a list shows it. */
public record CsiPluginStub(
        boolean ControllerRequired,
        int ControllersExpected,
        int ControllersHealthy,
        long CreateIndex,
        String ID,
        long ModifyIndex,
        int NodesExpected,
        int NodesHealthy,
        String Provider) {}
