package io.cleat.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is sent along when a copy of a job is asked for.
 *
 * @param Payload {@code optional}, {@code required} or {@code forbidden}
 */
public record ParameterizedJobConfig(
        @Nullable List<String> MetaOptional,
        @Nullable List<String> MetaRequired,
        @Nullable String Payload) {}
