package io.cleat.api;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Asks for a copy of a parameterized job.
 *
 * @param IdPrefixTemplate refused where it is not empty
 * @param Payload in base64
 * @param Priority of the copy; 0 for the job's
 */
public record JobDispatchRequest(
        String IdPrefixTemplate,
        String JobID,
        @Nullable Map<String, String> Meta,
        @Nullable String Payload,
        int Priority) {}
