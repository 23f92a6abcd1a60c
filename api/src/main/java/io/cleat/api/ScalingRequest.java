package io.cleat.api;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Wants another number of allocations of a job's group, or says something about its scaling.
 *
 * @param Count null to say something only
 * @param Error whether {@code Message} tells of a fault; then there is no count
 * @param Target the group under {@code Group}; a job's and its namespace may be named beside it
 */
public record ScalingRequest(
        @Nullable Long Count,
        boolean Error,
        String Message,
        @Nullable RawJson Meta,
        boolean PolicyOverride,
        @Nullable Map<String, String> Target) {}
