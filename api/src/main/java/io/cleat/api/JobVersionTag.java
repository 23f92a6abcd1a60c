package io.cleat.api;

/**
 * A name that somebody gave to a version of a job.
 *
 * @param TaggedTime ns since 1970
 */
public record JobVersionTag(String Description, String Name, long TaggedTime) {}
