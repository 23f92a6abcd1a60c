package io.cleat.model;

import io.cleat.base.Since;

/** Whether who dispatches a job sends bytes along. */
public enum PayloadRule implements WireNamed {
    @Since(11)
    OPTIONAL("optional"),
    @Since(11)
    REQUIRED("required"),
    @Since(11)
    FORBIDDEN("forbidden");

    /** How large what is sent along may be, in bytes. */
    public static final int MOST_BYTES = 16 * 1024;

    private final String wire;

    PayloadRule(String wire) {
        this.wire = wire;
    }

    @Override
    public String wire() {
        return wire;
    }
}
