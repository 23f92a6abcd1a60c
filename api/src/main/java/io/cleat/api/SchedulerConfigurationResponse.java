package io.cleat.api;

/** How jobs are placed, and what else the headers say. */
public record SchedulerConfigurationResponse(
        long Index, boolean KnownLeader, long LastContact, String NextToken, SchedulerConfiguration SchedulerConfig) {}
