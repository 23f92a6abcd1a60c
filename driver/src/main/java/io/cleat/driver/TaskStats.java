package io.cleat.driver;

import java.time.Instant;
import java.util.List;

/**
 * What a task uses.
 *
 * @param cpuUserNanos processor time in user mode since its start
 * @param cpuSystemNanos processor time in the kernel since its start
 * @param memoryBytes in use now
 * @param memoryMaxBytes the most that was in use; 0 if not known
 * @param pids its processes
 */
public record TaskStats(
        Instant at, long cpuUserNanos, long cpuSystemNanos, long memoryBytes, long memoryMaxBytes, List<Long> pids) {
    public TaskStats {
        pids = List.copyOf(pids);
    }
}
