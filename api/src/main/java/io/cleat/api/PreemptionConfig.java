package io.cleat.api;

/** For jobs of which types others are stopped: of none here. */
public record PreemptionConfig(
        boolean BatchSchedulerEnabled,
        boolean ServiceSchedulerEnabled,
        boolean SysBatchSchedulerEnabled,
        boolean SystemSchedulerEnabled) {
    /** Nothing makes room for another. */
    public static final PreemptionConfig NONE = new PreemptionConfig(false, false, false, false);
}
