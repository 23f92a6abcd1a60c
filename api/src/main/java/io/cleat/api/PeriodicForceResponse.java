package io.cleat.api;

/** The evaluation of a copy that is run before its time. */
public record PeriodicForceResponse(
        long EvalCreateIndex, String EvalID, long Index, boolean KnownLeader, long LastContact, String NextToken) {}
