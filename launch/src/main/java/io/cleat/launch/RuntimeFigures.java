package io.cleat.launch;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/** Figures of the Java machine, under the names that dashboards for Nomad know. */
final class RuntimeFigures {
    private RuntimeFigures() {}

    /** By name; bytes, nanoseconds and counts since the process began. */
    static Map<String, Double> now() {
        Heap heap = Heap.ofProcess();
        long paused = 0;
        for (GarbageCollectorMXBean each : ManagementFactory.getGarbageCollectorMXBeans()) {
            paused += Math.max(0, each.getCollectionTime());
        }
        Map<String, Double> figures = new TreeMap<>();
        figures.put("nomad.runtime.alloc_bytes", (double) heap.used());
        figures.put("nomad.runtime.sys_bytes", (double) heap.committed());
        figures.put("nomad.runtime.total_gc_runs", (double) heap.collections());
        figures.put("nomad.runtime.total_gc_pause_ns", (double)
                Duration.ofMillis(paused).toNanos());
        return figures;
    }
}
