package io.cleat.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a node uses now; {@code Uptime} in s, {@code Timestamp} in ns since the epoch. */
public record NodeStats(
        @Nullable Disk AllocDirStats,
        List<@Nullable Cpu> CPU,
        double CPUTicksConsumed,
        @Nullable List<RawJson> DeviceStats,
        List<@Nullable Disk> DiskStats,
        @Nullable Memory Memory,
        long Timestamp,
        long Uptime) {
    /** One CPU, in per cent. */
    public record Cpu(String CPU, double Idle, double System, double TotalPercent, double TotalTicks, double User) {}

    /** One disk, in bytes. */
    public record Disk(
            long Available,
            String Device,
            double InodesUsedPercent,
            String Mountpoint,
            long Size,
            long Used,
            double UsedPercent) {}

    /** In bytes. */
    public record Memory(long Available, long Free, long Total, long Used) {}
}
