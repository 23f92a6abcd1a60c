package io.cleat.model;

/** Which of the CSI services a plugin's task serves. */
public enum PluginType implements WireNamed {
    NODE("node", false, true),
    CONTROLLER("controller", true, false),
    MONOLITH("monolith", true, true);

    private final String wire;
    private final boolean controller;
    private final boolean node;

    PluginType(String wire, boolean controller, boolean node) {
        this.wire = wire;
        this.controller = controller;
        this.node = node;
    }

    @Override
    public String wire() {
        return wire;
    }

    public boolean servesController() {
        return controller;
    }

    public boolean servesNode() {
        return node;
    }
}
