package io.cleat.model;

/**
 * What a group asks for of a host volume, beside what it asks for of any.
 *
 * @param sticky whether an allocation that replaces another gets the same volume
 * @param modesSaid whether the job says an access mode and an attachment mode; if not, the usual ones are meant
 */
public record HostRequest(boolean sticky, boolean modesSaid) {}
