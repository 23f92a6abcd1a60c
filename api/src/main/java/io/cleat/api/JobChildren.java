package io.cleat.api;

/** Counts of the jobs a job started. */
public record JobChildren(long Dead, long Pending, long Running) {}
