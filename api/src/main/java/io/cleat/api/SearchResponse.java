package io.cleat.api;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Ids that begin with the prefix, by context, and whether more were left out. */
public record SearchResponse(
        long Index,
        boolean KnownLeader,
        long LastContact,
        Map<String, @Nullable List<String>> Matches,
        String NextToken,
        Map<String, Boolean> Truncations) {}
