package io.cleat.model;

/** How a job lives: kept running, run once, or one on each node. */
public enum JobType implements WireNamed {
    SERVICE("service"),
    BATCH("batch"),
    SYSTEM("system");

    private final String wire;

    JobType(String wire) {
        this.wire = wire;
    }

    @Override
    public String wire() {
        return wire;
    }
}
