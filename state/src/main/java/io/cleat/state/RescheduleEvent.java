package io.cleat.state;

import java.time.Duration;
import java.time.Instant;

/**
 * That an allocation took the place of a failed one.
 *
 * @param delay how long it was waited for
 */
public record RescheduleEvent(Instant at, String previousAllocation, String previousNode, Duration delay) {}
