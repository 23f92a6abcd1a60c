package io.cleat.api;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Where something can be reached: provider's segment names and their values. */
public record CsiTopology(@Nullable Map<String, String> Segments) {}
