package io.cleat.state;

import io.cleat.model.WireNamed;

/** How a node is, as the servers see it. */
public enum NodeStatus implements WireNamed {
    /** Registered, and not heard since. */
    INITIALIZING("initializing"),
    READY("ready"),
    /** Not heard for longer than its heartbeat allows. Frees nothing by itself. */
    DOWN("down");

    public static final LifeCycle<NodeStatus> LIFE = LifeCycle.of("node", NodeStatus.class)
            .begin(INITIALIZING, READY)
            .move(INITIALIZING, READY, DOWN)
            .move(READY, DOWN)
            .move(DOWN, READY)
            .end(DOWN)
            .done();

    private final String wire;

    NodeStatus(String wire) {
        this.wire = wire;
    }

    @Override
    public String wire() {
        return wire;
    }
}
