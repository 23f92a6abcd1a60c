package io.cleat.model;

import io.cleat.base.Since;

/** Which address a service is found at, and its checks go to. */
public enum AddressMode implements WireNamed {
    /** What the service says; else what the task's driver wants to be found, else that of its port on the node. */
    @Since(16)
    AUTO("auto"),
    /** The node's, with the port as the node has it. */
    @Since(16)
    HOST("host"),
    /** That of the allocation's own network, with the port as its tasks see it. */
    @Since(16)
    ALLOC("alloc"),
    /** That which the task's driver gave it, with the port as the task sees it. */
    @Since(20)
    DRIVER("driver");

    private final String wire;

    AddressMode(String wire) {
        this.wire = wire;
    }

    @Override
    public String wire() {
        return wire;
    }
}
