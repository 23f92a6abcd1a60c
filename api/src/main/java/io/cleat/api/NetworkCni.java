package io.cleat.api;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a CNI network is told. */
public record NetworkCni(@Nullable Map<String, String> Args) {}
