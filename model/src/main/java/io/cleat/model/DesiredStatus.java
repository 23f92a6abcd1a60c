package io.cleat.model;

/** What the servers want of an allocation. */
public enum DesiredStatus implements WireNamed {
    RUN("run"),
    STOP("stop"),
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
