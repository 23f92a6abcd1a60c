package io.cleat.api;

/** How many evaluations there are that fit. */
public record EvalCountResponse(long Count, long Index, boolean KnownLeader, long LastContact, String NextToken) {}
