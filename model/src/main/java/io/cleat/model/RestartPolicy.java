package io.cleat.model;

import java.time.Duration;

/**
 * When a node starts a failed task again by itself: at most {@code attempts} times in {@code interval}, each after
 * {@code delay}; then the task fails, or the next interval is waited for.
 */
public record RestartPolicy(int attempts, Duration interval, Duration delay, Mode mode, boolean renderTemplates) {
    /** What happens when the attempts are used up. */
    public enum Mode implements WireNamed {
        FAIL("fail"),
        DELAY("delay");

        private final String wire;

        Mode(String wire) {
            this.wire = wire;
        }

        @Override
        public String wire() {
            return wire;
        }
    }
}
