package io.cleat.api;

/** What a registration answers. */
public record JobRegisterResponse(
        long EvalCreateIndex,
        String EvalID,
        long Index,
        long JobModifyIndex,
        boolean KnownLeader,
        long LastContact,
        String NextToken,
        String Warnings) {}
