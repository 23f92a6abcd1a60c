package io.cleat.model;

import io.cleat.base.Since;
import java.time.Instant;

/**
 * A name that somebody gave to a version of a job, which is kept for as long as it has one.
 *
 * @param name none other of the job has it
 * @param description for people; empty for none
 * @param at when it was given
 */
@Since(17)
public record JobTag(String name, String description, Instant at) {}
