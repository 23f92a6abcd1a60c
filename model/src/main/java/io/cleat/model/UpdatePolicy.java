package io.cleat.model;

import java.time.Duration;

/** How a new version of a job replaces the old one. */
public record UpdatePolicy(
        int maxParallel,
        int canary,
        String healthCheck,
        Duration minHealthyTime,
        Duration healthyDeadline,
        Duration progressDeadline,
        Duration stagger,
        boolean autoRevert,
        boolean autoPromote) {}
