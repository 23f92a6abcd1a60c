package io.cleat.model;

/** What the servers want of an allocation. */
public enum DesiredStatus implements WireNamed {
    RUN("run"),
    STOP("stop"),
    /** Taken down by the servers, though its job wants one like it: rescheduled by its policy. */
    EVICT("evict");

    private final String wire;

    DesiredStatus(String wire) {
        this.wire = wire;
    }

    @Override
    public String wire() {
        return wire;
    }
}
