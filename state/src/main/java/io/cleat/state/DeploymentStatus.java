package io.cleat.state;

import io.cleat.model.WireNamed;

/** How the change of a job to a new version is. */
public enum DeploymentStatus implements WireNamed {
    RUNNING("running"),
    PAUSED("paused"),
    FAILED("failed"),
    SUCCESSFUL("successful"),
    CANCELLED("cancelled");

    private final String wire;

    DeploymentStatus(String wire) {
        this.wire = wire;
    }

    @Override
    public String wire() {
        return wire;
    }

    /** Whether it may still change something. */
    public boolean isActive() {
        return this == RUNNING || this == PAUSED;
    }
}
