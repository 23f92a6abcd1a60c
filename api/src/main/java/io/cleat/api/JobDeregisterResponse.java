package io.cleat.api;

/** What stopping a job answers; an unknown job has no evaluation. */
public record JobDeregisterResponse(
        long EvalCreateIndex,
        String EvalID,
        long Index,
        long JobModifyIndex,
        boolean KnownLeader,
        long LastContact,
        String NextToken,
        String VolumeEvalID,
        long VolumeEvalIndex) {}
