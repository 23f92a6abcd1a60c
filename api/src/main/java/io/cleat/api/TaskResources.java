package io.cleat.api;

import org.jspecify.annotations.Nullable;

/** What one task was given. */
public record TaskResources(
        AllocatedCpu Cpu,
        @Nullable RawJson Devices,
        AllocatedMemory Memory,
        @Nullable RawJson Networks) {}
