package io.cleat.state;

import io.cleat.model.WireNamed;

/** How far an attachment is. Its row goes only after a confirmed detach. */
public enum AttachmentState implements WireNamed {
    /** Written before the first call. */
    ATTACHING("attaching"),
    ATTACHED("attached"),
    /** To be detached, also if attaching it failed: a failure may hide an attached volume. */
    DETACHING("detaching");

    public static final LifeCycle<AttachmentState> LIFE = LifeCycle.of("attachment", AttachmentState.class)
            .begin(ATTACHING)
            .move(ATTACHING, ATTACHED, DETACHING)
            .move(ATTACHED, DETACHING)
            .end(DETACHING)
            .done();

    private final String wire;

    AttachmentState(String wire) {
        this.wire = wire;
    }

    @Override
    public String wire() {
        return wire;
    }
}
