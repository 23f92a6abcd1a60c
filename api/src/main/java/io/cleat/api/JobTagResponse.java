package io.cleat.api;

/**
 * A tag that was given to a version of a job, or taken from it.
 *
 * @param TaggedTime ns since 1970
 */
public record JobTagResponse(String Description, long Index, String Name, long TaggedTime) {}
