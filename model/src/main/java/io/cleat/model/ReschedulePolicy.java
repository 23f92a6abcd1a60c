package io.cleat.model;

import java.time.Duration;

/**
 * When a failed allocation is rescheduled.
 *
 * @param delayFunction {@code constant}, {@code exponential} or {@code fibonacci}
 */
public record ReschedulePolicy(
        int attempts, Duration interval, Duration delay, String delayFunction, Duration maxDelay, boolean unlimited) {}
