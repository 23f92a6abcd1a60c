package io.cleat.model;

import java.time.Duration;

/** How allocations leave a node that is drained. */
public record MigratePolicy(int maxParallel, String healthCheck, Duration minHealthyTime, Duration healthyDeadline) {}
