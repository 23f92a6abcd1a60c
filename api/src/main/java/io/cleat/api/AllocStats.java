package io.cleat.api;

import java.util.Map;

/** What an allocation uses now; {@code Timestamp} in ns since the epoch. */
public record AllocStats(ResourceUsage ResourceUsage, Map<String, TaskStats> Tasks, long Timestamp) {}
