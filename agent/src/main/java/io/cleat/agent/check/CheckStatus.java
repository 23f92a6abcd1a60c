package io.cleat.agent.check;

import io.cleat.model.CheckRestart;
import io.cleat.model.OnUpdate;
import io.cleat.model.WireNamed;

/** How a check is. */
public enum CheckStatus implements WireNamed {
    /** It was not made yet. */
    PENDING("pending"),
    SUCCESS("success"),
    WARNING("warning"),
    FAILURE("failure");

    private final String wire;

    CheckStatus(String wire) {
        this.wire = wire;
    }

    @Override
    public String wire() {
        return wire;
    }

    /** Whether it is well enough for an allocation that is looked at. */
    public boolean satisfies(OnUpdate wanted) {
        return switch (wanted) {
            case REQUIRE_HEALTHY -> this == SUCCESS;
            case IGNORE_WARNINGS -> this == SUCCESS || this == WARNING;
            case IGNORE -> true;
        };
    }

    /** Whether it counts against its task. */
    public boolean failsFor(CheckRestart restart) {
        return this == FAILURE || (this == WARNING && !restart.ignoreWarnings());
    }
}
