package io.cleat.api;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How well a node suited. */
public record NodeScore(
        String NodeID, double NormScore, @Nullable Map<String, Double> Scores) {}
