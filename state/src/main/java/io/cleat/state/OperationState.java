package io.cleat.state;

import io.cleat.model.WireNamed;

/** How far a controller call is. */
public enum OperationState implements WireNamed {
    /** Not sent yet. */
    LOGGED("logged"),
    /** Its instance was told; it may be running. */
    SENT("sent"),
    /** It may have done its work, and only a success of it or of its inverse will tell. */
    UNKNOWN("unknown"),
    /** Settled; kept until whoever waits for it has read how. */
    DONE("done");

    public static final LifeCycle<OperationState> LIFE = LifeCycle.of("operation", OperationState.class)
            .begin(LOGGED)
            .move(LOGGED, SENT, DONE)
            .move(SENT, UNKNOWN, LOGGED, DONE)
            .move(UNKNOWN, SENT, DONE)
            .end(DONE)
            .done();

    private final String wire;

    OperationState(String wire) {
        this.wire = wire;
    }

    @Override
    public String wire() {
        return wire;
    }
}
