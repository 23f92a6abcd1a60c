package io.cleat.driverplugin;

import io.cleat.base.DriverTrouble;
import io.cleat.base.Effect;
import io.cleat.base.Retry;
import io.cleat.base.Time;
import io.cleat.driver.TaskStats;
import io.cleat.driverschema.DriverGrpc;
import io.cleat.driverschema.DriverProto;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What tasks use, as plugins say it: memory, and how busy a processor was. The rest of the program counts processor
 * time, so that is summed up from one question to the next.
 *
 * <p>Used by any thread.
 */
final class ReportedUsage {
    private static final double WHOLE = 100;

    private final Time time;
    private final Map<String, Spent> spent = new ConcurrentHashMap<>();

    /** Processor time up to a moment. */
    private record Spent(long at, double user, double system) {}

    ReportedUsage(Time time) {
        this.time = time;
    }

    TaskStats ask(PluginChannel channel, String id) throws DriverTrouble, InterruptedException {
        DriverProto.TaskStatsRequest request = DriverProto.TaskStatsRequest.newBuilder()
                .setTaskId(id)
                .setCollectionInterval(Duration.ofSeconds(1).toNanos())
                .build();
        try (var said = channel.answers(DriverGrpc.getTaskStatsMethod(), request, PluginClient.SHORT)) {
            DriverProto.TaskStats stats = said.next()
                    .orElseThrow(() -> new DriverTrouble(
                            "the plugin says nothing of what the task " + id + " uses", Effect.NONE, Retry.SAME_CALL))
                    .getStats();
            return stats(id, stats);
        }
    }

    private TaskStats stats(String id, DriverProto.TaskStats said) {
        DriverProto.CPUUsage cpu = said.getAggResourceUsage().getCpu();
        DriverProto.MemoryUsage memory = said.getAggResourceUsage().getMemory();
        boolean isSplit = cpu.getUserMode() + cpu.getSystemMode() > 0;
        double user = isSplit ? cpu.getUserMode() : cpu.getPercent();
        double system = isSplit ? cpu.getSystemMode() : 0;
        long now = time.nanos();
        Spent sum = spent.compute(id, (key, before) -> after(before, now, user, system));
        List<Long> pids = new ArrayList<>();
        for (String pid : said.getResourceUsageByPidMap().keySet()) {
            if (pid.matches("[0-9]{1,10}")) {
                pids.add(Long.parseLong(pid));
            }
        }
        pids.sort(Long::compare);
        return new TaskStats(
                time.now(),
                Math.round(sum.user()),
                Math.round(sum.system()),
                memory.getUsage() > 0 ? memory.getUsage() : memory.getRss(),
                memory.getMaxUsage(),
                pids);
    }

    private static Spent after(@Nullable Spent before, long now, double user, double system) {
        if (before == null) {
            return new Spent(now, 0, 0);
        }
        double passed = now - before.at();
        return new Spent(now, before.user() + passed * user / WHOLE, before.system() + passed * system / WHOLE);
    }

    void forget(String id) {
        spent.remove(id);
    }
}
