package io.cleat.api;

/** The copy that is run, and its evaluation. */
public record JobDispatchResponse(
        String DispatchedJobID,
        long EvalCreateIndex,
        String EvalID,
        long Index,
        long JobCreateIndex,
        boolean KnownLeader,
        long LastContact,
        String NextToken) {}
