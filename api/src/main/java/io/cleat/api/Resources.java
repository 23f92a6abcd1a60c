package io.cleat.api;

import org.jspecify.annotations.Nullable;

/** What a task needs; {@code CPU} in MHz, memory and disk in MiB. */
public record Resources(
        @Nullable Integer CPU,
        @Nullable Integer Cores,
        @Nullable RawJson Devices,
        @Nullable Integer DiskMB,
        @Nullable Integer IOPS,
        @Nullable Integer MemoryMB,
        @Nullable Integer MemoryMaxMB,
        @Nullable RawJson NUMA,
        @Nullable RawJson Networks,
        @Nullable Integer SecretsMB) {}
