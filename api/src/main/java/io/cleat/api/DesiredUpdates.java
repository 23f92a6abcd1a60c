package io.cleat.api;

/** Counts of what is to be done with one group's allocations. */
public record DesiredUpdates(
        long Canary,
        long DestructiveUpdate,
        long Disconnect,
        long Ignore,
        long InPlaceUpdate,
        long Migrate,
        long Place,
        long Preemptions,
        long Reconnect,
        long RescheduleLater,
        long RescheduleNow,
        long Stop) {}
