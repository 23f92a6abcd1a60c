package io.cleat.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** How names are resolved. */
public record NetworkDns(
        @Nullable List<String> Options,
        @Nullable List<String> Searches,
        @Nullable List<String> Servers) {}
