package io.cleat.state;

import io.cleat.model.WireNamed;

/** How far an evaluation is. */
public enum EvaluationStatus implements WireNamed {
    /** To be run by the scheduler, now or once its time has come. */
    PENDING("pending"),
    /** Waits for a volume or for room; made pending by the entry that frees it. */
    BLOCKED("blocked"),
    COMPLETE("complete"),
    FAILED("failed"),
    CANCELED("canceled");

    public static final LifeCycle<EvaluationStatus> LIFE = LifeCycle.of("evaluation", EvaluationStatus.class)
            .begin(PENDING, BLOCKED)
            .move(PENDING, COMPLETE, BLOCKED, FAILED, CANCELED)
            .move(BLOCKED, PENDING, CANCELED)
            .end(COMPLETE, FAILED, CANCELED)
            .done();

    private final String wire;

    EvaluationStatus(String wire) {
        this.wire = wire;
    }

    @Override
    public String wire() {
        return wire;
    }

    public boolean isTerminal() {
        return this == COMPLETE || this == FAILED || this == CANCELED;
    }
}
