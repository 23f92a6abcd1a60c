package io.cleat.agent.plugins;

import io.cleat.model.WireNamed;

/** The two services a plugin is registered for. */
public enum PluginKind implements WireNamed {
    CONTROLLER("csi-controller"),
    NODE("csi-node");

    private final String wire;

    PluginKind(String wire) {
        this.wire = wire;
    }

    @Override
    public String wire() {
        return wire;
    }
}
