package io.cleat.nodeapi;

import io.cleat.agent.alloc.OpenAllocation;
import io.cleat.agent.task.TaskRecord;
import io.cleat.api.AgentConfig;
import io.cleat.api.Metrics;
import io.cleat.api.NodeStats;
import io.cleat.api.ResourceUsage;
import io.cleat.base.DiskTrouble;
import io.cleat.base.DriverTrouble;
import io.cleat.driver.TaskDriver;
import io.cleat.driver.TaskHandle;
import io.cleat.model.Task;
import io.cleat.model.TaskState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What a node and its tasks use, under the names that dashboards for Nomad know. Shares of processors are of the time
 * since these figures were asked for before. Any thread.
 */
final class NodeFigures {
    /** Tasks that are measured for one answer. */
    private static final int MOST_TASKS = 1_000;

    private static final long MIB = 1 << 20;

    private final AgentConfig config;
    private final String nodeId;
    private final LocalNode local;
    private final Map<String, TaskDriver> drivers;
    private final HostUse host;
    private final TaskUse tasks;

    /**
     * @param nodeId empty where no node runs
     * @param host asked by nobody else, nor {@code tasks}
     */
    NodeFigures(
            AgentConfig config,
            String nodeId,
            LocalNode local,
            Map<String, TaskDriver> drivers,
            HostUse host,
            TaskUse tasks) {
        this.config = config;
        this.nodeId = nodeId;
        this.local = local;
        this.drivers = drivers;
        this.host = host;
        this.tasks = tasks;
    }

    /** @param process figures of this process, by name */
    List<Metrics.Figure> of(Map<String, Double> process) throws InterruptedException {
        List<Metrics.Figure> gauges = new ArrayList<>();
        Map<String, String> labels = Map.of("host", config.NodeName());
        process.forEach((name, value) -> add(gauges, name, name.startsWith("nomad.") ? labels : Map.of(), value));
        if (!nodeId.isEmpty()) {
            machine(gauges);
            int measured = 0;
            for (OpenAllocation allocation : local.open()) {
                for (Map.Entry<String, TaskRecord> task : allocation.tasks().entrySet()) {
                    if (measured < MOST_TASKS) {
                        measured += task(gauges, allocation, task.getKey(), task.getValue());
                    }
                }
            }
        }
        return gauges;
    }

    private static void add(List<Metrics.Figure> gauges, String name, Map<String, String> labels, double value) {
        gauges.add(new Metrics.Figure(labels, name, value));
    }

    /** What is not known now is not said. */
    private void machine(List<Metrics.Figure> gauges) {
        NodeStats now;
        try {
            now = host.now();
        } catch (DiskTrouble unknown) {
            return;
        }
        Map<String, String> labels = new TreeMap<>();
        labels.put("datacenter", config.Datacenter());
        labels.put("host", config.NodeName());
        labels.put(
                "node_class",
                config.Client().NodeClass().isEmpty() ? "none" : config.Client().NodeClass());
        labels.put("node_id", nodeId);
        labels.put("node_pool", config.Client().NodePool());
        for (NodeStats.Cpu cpu : now.CPU()) {
            if (cpu != null) {
                Map<String, String> one = with(labels, "cpu", cpu.CPU());
                add(gauges, "nomad.client.host.cpu.user", one, cpu.User());
                add(gauges, "nomad.client.host.cpu.system", one, cpu.System());
                add(gauges, "nomad.client.host.cpu.idle", one, cpu.Idle());
                add(gauges, "nomad.client.host.cpu.total", one, cpu.TotalPercent());
            }
        }
        for (NodeStats.Disk disk : now.DiskStats()) {
            if (disk != null) {
                Map<String, String> one = with(labels, "disk", disk.Device());
                add(gauges, "nomad.client.host.disk.size", one, disk.Size());
                add(gauges, "nomad.client.host.disk.used", one, disk.Used());
                add(gauges, "nomad.client.host.disk.available", one, disk.Available());
                add(gauges, "nomad.client.host.disk.used_percent", one, disk.UsedPercent());
            }
        }
        NodeStats.Memory memory = now.Memory();
        if (memory != null) {
            add(gauges, "nomad.client.host.memory.total", labels, memory.Total());
            add(gauges, "nomad.client.host.memory.used", labels, memory.Used());
            add(gauges, "nomad.client.host.memory.free", labels, memory.Free());
            add(gauges, "nomad.client.host.memory.available", labels, memory.Available());
        }
        add(gauges, "nomad.client.uptime", labels, now.Uptime());
    }

    private static Map<String, String> with(Map<String, String> labels, String key, String value) {
        Map<String, String> more = new TreeMap<>(labels);
        more.put(key, value);
        return more;
    }

    /** Returns 1 if it was measured, else 0: it may have ended just now. */
    private int task(List<Metrics.Figure> gauges, OpenAllocation allocation, String name, TaskRecord record)
            throws InterruptedException {
        TaskHandle handle = record.handle();
        TaskDriver driver = handle == null ? null : drivers.get(handle.driver());
        if (handle == null || driver == null || record.state().phase() != TaskState.Phase.RUNNING) {
            return 0;
        }
        ResourceUsage used;
        try {
            used = tasks.of(handle.id(), driver.stats(handle), record.state().startedAt())
                    .ResourceUsage();
        } catch (DriverTrouble gone) {
            return 0;
        }
        Map<String, String> labels = new TreeMap<>();
        labels.put("alloc_id", allocation.allocId());
        labels.put("host", config.NodeName());
        labels.put("job", allocation.job().id());
        labels.put("namespace", allocation.job().namespace());
        labels.put("task", name);
        labels.put("task_group", allocation.group().name());
        Optional<Task> task = allocation.group().task(name);
        task.ifPresent(said -> {
            double mhz = said.resources().cpuMhz();
            double bytes = (double) said.resources().memoryMb() * MIB;
            add(gauges, "nomad.client.allocs.cpu.allocated", labels, mhz);
            add(gauges, "nomad.client.allocs.memory.allocated", labels, bytes);
        });
        ResourceUsage.Cpu cpu = used.CpuStats();
        add(gauges, "nomad.client.allocs.cpu.user", labels, cpu.UserMode());
        add(gauges, "nomad.client.allocs.cpu.system", labels, cpu.SystemMode());
        add(gauges, "nomad.client.allocs.cpu.total_percent", labels, cpu.Percent());
        add(gauges, "nomad.client.allocs.cpu.total_ticks", labels, cpu.TotalTicks());
        ResourceUsage.Memory memory = used.MemoryStats();
        add(gauges, "nomad.client.allocs.memory.rss", labels, memory.RSS());
        add(gauges, "nomad.client.allocs.memory.usage", labels, memory.Usage());
        if (memory.MaxUsage() > 0) {
            add(gauges, "nomad.client.allocs.memory.max_usage", labels, memory.MaxUsage());
        }
        return 1;
    }
}
