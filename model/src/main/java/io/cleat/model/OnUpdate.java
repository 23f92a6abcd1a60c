package io.cleat.model;

import io.cleat.base.Since;

/** What a check has to say for its allocation to count as healthy. */
public enum OnUpdate implements WireNamed {
    @Since(16)
    REQUIRE_HEALTHY("require_healthy"),
    @Since(16)
    IGNORE_WARNINGS("ignore_warnings"),
    /** Anything: it tells those who ask whether the task is ready, and no deployment. */
    @Since(16)
    IGNORE("ignore");

    private final String wire;

    OnUpdate(String wire) {
        this.wire = wire;
    }

    @Override
    public String wire() {
        return wire;
    }
}
