package io.cleat.state;

import io.cleat.model.WireNamed;

/** How a job is; derived from its allocations and evaluations, never stored. */
public enum JobStatus implements WireNamed {
    PENDING("pending"),
    RUNNING("running"),
    DEAD("dead");

    private final String wire;

    JobStatus(String wire) {
        this.wire = wire;
    }

    @Override
    public String wire() {
        return wire;
    }
}
