package io.cleat.model;

/** How an allocation is, as its node last said, or as the servers know without it. */
public enum ClientStatus implements WireNamed {
    PENDING("pending"),
    RUNNING("running"),
    COMPLETE("complete"),
    FAILED("failed"),
    LOST("lost"),
    UNKNOWN("unknown");

    private final String wire;

    ClientStatus(String wire) {
        this.wire = wire;
    }

    @Override
    public String wire() {
        return wire;
    }

    /** Whether nothing of it runs any more, as far as can be known. */
    public boolean isTerminal() {
        return this == COMPLETE || this == FAILED || this == LOST;
    }
}
