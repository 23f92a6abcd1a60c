package io.cleat.api;

import org.jspecify.annotations.Nullable;

/**
 * Gives a version of a job a tag, whose name is in the path.
 *
 * @param Version null for the newest
 */
public record JobTagRequest(String Description, @Nullable Long Version) {}
