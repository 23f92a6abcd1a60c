package io.cleat.nodeapi;

import io.cleat.api.AllocStats;
import io.cleat.api.Nanos;
import io.cleat.api.ResourceUsage;
import io.cleat.api.TaskStats;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What tasks use, as shares: of the time since a task was asked about before, the first time since it started.
 *
 * <p>Guarded by {@code lock}, never held across a call.
 */
final class TaskUse {
    /** How many tasks are remembered; of more, those asked about longest ago are forgotten. */
    private static final int REMEMBERED = 1000;

    private final double mhzPerCore;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, io.cleat.driver.TaskStats> before = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, io.cleat.driver.TaskStats> eldest) {
            return size() > REMEMBERED;
        }
    };

    TaskUse(double mhzPerCore) {
        this.mhzPerCore = mhzPerCore;
    }

    /**
     * @param id of the running task
     * @param startedAt null if that is not known
     */
    TaskStats of(String id, io.cleat.driver.TaskStats now, @Nullable Instant startedAt) {
        io.cleat.driver.TaskStats earlier = remember(id, now);
        Instant from = earlier == null ? startedAt : earlier.at();
        double nanos =
                from == null ? 0 : Math.max(0, Duration.between(from, now.at()).toNanos());
        double user = share(now.cpuUserNanos() - (earlier == null ? 0 : earlier.cpuUserNanos()), nanos);
        double system = share(now.cpuSystemNanos() - (earlier == null ? 0 : earlier.cpuSystemNanos()), nanos);
        return new TaskStats(
                null,
                new ResourceUsage(
                        new ResourceUsage.Cpu(
                                List.of("System Mode", "User Mode", "Percent"),
                                user + system,
                                system,
                                0,
                                0,
                                (user + system) / 100 * mhzPerCore,
                                user),
                        List.of(),
                        new ResourceUsage.Memory(
                                0,
                                0,
                                0,
                                0,
                                now.memoryMaxBytes(),
                                now.memoryMaxBytes() > 0
                                        ? List.of("RSS", "Usage", "Max Usage")
                                        : List.of("RSS", "Usage"),
                                now.memoryBytes(),
                                0,
                                now.memoryBytes())),
                Nanos.of(now.at()));
    }

    private io.cleat.driver.@Nullable TaskStats remember(String id, io.cleat.driver.TaskStats now) {
        lock.lock();
        try {
            return before.put(id, now);
        } finally {
            lock.unlock();
        }
    }

    private static double share(long used, double of) {
        return of <= 0 ? 0 : 100.0 * Math.max(0, used) / of;
    }

    /** Tasks together. */
    static AllocStats sum(Map<String, TaskStats> tasks) {
        double percent = 0;
        double system = 0;
        double user = 0;
        double ticks = 0;
        long memory = 0;
        long most = 0;
        long at = 0;
        for (TaskStats task : tasks.values()) {
            ResourceUsage.Cpu cpu = task.ResourceUsage().CpuStats();
            percent += cpu.Percent();
            system += cpu.SystemMode();
            user += cpu.UserMode();
            ticks += cpu.TotalTicks();
            memory += task.ResourceUsage().MemoryStats().RSS();
            most += task.ResourceUsage().MemoryStats().MaxUsage();
            at = Math.max(at, task.Timestamp());
        }
        return new AllocStats(
                new ResourceUsage(
                        new ResourceUsage.Cpu(
                                tasks.isEmpty() ? null : List.of("System Mode", "User Mode", "Percent"),
                                percent,
                                system,
                                0,
                                0,
                                ticks,
                                user),
                        List.of(),
                        new ResourceUsage.Memory(
                                0, 0, 0, 0, most, tasks.isEmpty() ? null : List.of("RSS", "Usage"), memory, 0, memory)),
                tasks,
                at);
    }
}
