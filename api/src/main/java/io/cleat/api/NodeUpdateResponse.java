package io.cleat.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What changing a node answers; {@code NodeModifyIndex} is 0 if it was so before. */
public record NodeUpdateResponse(
        long EvalCreateIndex, @Nullable List<String> EvalIDs, long Index, long NodeModifyIndex) {}
