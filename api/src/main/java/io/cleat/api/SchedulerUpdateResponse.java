package io.cleat.api;

/**
 * A configuration was asked for.
 *
 * @param Updated whether it counts now; false if it was changed meanwhile
 */
public record SchedulerUpdateResponse(long Index, boolean Updated) {}
