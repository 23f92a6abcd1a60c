package io.cleat.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Use of CPU and memory. */
public record ResourceUsage(Cpu CpuStats, List<RawJson> DeviceStats, Memory MemoryStats) {
    /** Shares of one core in per cent; ticks in MHz; {@code Measured} names the fields that were measured. */
    public record Cpu(
            @Nullable List<String> Measured,
            double Percent,
            double SystemMode,
            long ThrottledPeriods,
            long ThrottledTime,
            double TotalTicks,
            double UserMode) {}

    /** In bytes. */
    public record Memory(
            long Cache,
            long KernelMaxUsage,
            long KernelUsage,
            long MappedFile,
            long MaxUsage,
            @Nullable List<String> Measured,
            long RSS,
            long Swap,
            long Usage) {}
}
