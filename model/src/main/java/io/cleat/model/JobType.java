package io.cleat.model;

import io.cleat.base.Since;

/** How a job lives: kept running, run once, or one on each node. */
public enum JobType implements WireNamed {
    SERVICE("service"),
    BATCH("batch"),
    SYSTEM("system"),
    /** Run once on each node. */
    @Since(17)
    SYSBATCH("sysbatch");

    private final String wire;

    JobType(String wire) {
        this.wire = wire;
    }

    /** Whether it has one allocation on each node, and not a number of them anywhere. */
    public boolean isOnEachNode() {
        return this == SYSTEM || this == SYSBATCH;
    }

    /** Whether it is over once its tasks have ended well. */
    public boolean ends() {
        return this == BATCH || this == SYSBATCH;
    }

    @Override
    public String wire() {
        return wire;
    }
}
