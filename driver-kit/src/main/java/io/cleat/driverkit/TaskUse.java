package io.cleat.driverkit;

import com.google.protobuf.Timestamp;
import io.cleat.driver.TaskStats;
import io.cleat.driverschema.DriverProto;
import io.cleat.driverschema.DriverProto.CPUUsage;
import io.cleat.driverschema.DriverProto.MemoryUsage;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What a task uses, in the protocol's terms: how busy it kept processors since it was last asked, where drivers count
 * processor time.
 *
 * <p>Used by any thread.
 */
final class TaskUse {
    private static final double WHOLE = 100;

    /** Shorter than that, a share of time says nothing. */
    private static final Duration SHORTEST = Duration.ofMillis(100);

    private final ReentrantLock lock = new ReentrantLock();
    private Instant at;
    private long user;
    private long system;
    private double userShare;
    private double systemShare;

    /** @param since when it began, at which it had used nothing */
    TaskUse(Instant since) {
        this.at = since;
    }

    DriverProto.TaskStats message(String id, TaskStats stats) {
        DriverProto.TaskResourceUsage use = use(stats);
        DriverProto.TaskStats.Builder message = DriverProto.TaskStats.newBuilder()
                .setId(id)
                .setTimestamp(Timestamp.newBuilder()
                        .setSeconds(stats.at().getEpochSecond())
                        .setNanos(stats.at().getNano()))
                .setAggResourceUsage(use);
        for (long pid : stats.pids()) {
            // What each uses of it is not counted.
            message.putResourceUsageByPid(Long.toString(pid), DriverProto.TaskResourceUsage.getDefaultInstance());
        }
        return message.build();
    }

    private DriverProto.TaskResourceUsage use(TaskStats stats) {
        lock.lock();
        try {
            Duration passed = Duration.between(at, stats.at());
            if (passed.compareTo(SHORTEST) >= 0) {
                userShare = share(stats.cpuUserNanos() - user, passed);
                systemShare = share(stats.cpuSystemNanos() - system, passed);
                at = stats.at();
                user = stats.cpuUserNanos();
                system = stats.cpuSystemNanos();
            }
            return DriverProto.TaskResourceUsage.newBuilder()
                    .setCpu(CPUUsage.newBuilder()
                            .setUserMode(userShare)
                            .setSystemMode(systemShare)
                            .setPercent(userShare + systemShare)
                            .addAllMeasuredFields(List.of(
                                    CPUUsage.Fields.USER_MODE, CPUUsage.Fields.SYSTEM_MODE, CPUUsage.Fields.PERCENT)))
                    .setMemory(MemoryUsage.newBuilder()
                            .setUsage(stats.memoryBytes())
                            .setMaxUsage(stats.memoryMaxBytes())
                            .addAllMeasuredFields(List.of(MemoryUsage.Fields.USAGE, MemoryUsage.Fields.MAX_USAGE)))
                    .build();
        } finally {
            lock.unlock();
        }
    }

    private static double share(long nanos, Duration passed) {
        return Math.max(0, WHOLE * nanos / passed.toNanos());
    }
}
