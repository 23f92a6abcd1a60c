package io.cleat.state;

/**
 * What a plan does with a group's allocations: how many it places, stops, leaves as they are, updates where they run,
 * replaces, moves off their nodes, places anew after a failure, and places as canaries.
 */
public record PlannedCounts(
        int place,
        int stop,
        int ignore,
        int inPlaceUpdate,
        int destructiveUpdate,
        int migrate,
        int reschedule,
        int canary) {}
