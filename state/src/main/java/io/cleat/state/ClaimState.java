package io.cleat.state;

import io.cleat.model.WireNamed;

/** How far a claim is. */
public enum ClaimState implements WireNamed {
    /** Its own job's predecessor still holds the volume. Holds nothing. */
    WAITING("waiting"),
    /** Its node may use the volume. */
    GRANTED("granted"),
    /** Its allocation is not to use the volume any more, and nobody has proved yet that it does not. */
    RELEASING("releasing");

    public static final LifeCycle<ClaimState> LIFE = LifeCycle.of("claim", ClaimState.class)
            .begin(WAITING, GRANTED)
            .move(WAITING, GRANTED)
            .move(GRANTED, RELEASING)
            .end(WAITING, RELEASING)
            .done();

    private final String wire;

    ClaimState(String wire) {
        this.wire = wire;
    }

    @Override
    public String wire() {
        return wire;
    }

    /** Whether the volume counts as used by it. */
    public boolean holds() {
        return this != WAITING;
    }
}
