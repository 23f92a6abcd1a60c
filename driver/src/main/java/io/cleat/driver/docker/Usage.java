package io.cleat.driver.docker;

import io.cleat.driver.TaskStats;
import java.time.Instant;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** What a container uses, in the engine's words. */
final class Usage {
    private Usage() {}

    /** @param pid of its first process */
    static TaskStats of(JsonNode said, long pid, Instant at) {
        JsonNode cpu = said.path("cpu_stats").path("cpu_usage");
        long user = cpu.path("usage_in_usermode").asLong(0);
        long system = cpu.path("usage_in_kernelmode").asLong(0);
        if (user + system == 0) {
            user = cpu.path("total_usage").asLong(0);
        }
        JsonNode memory = said.path("memory_stats");
        long cache = memory.path("stats")
                .path("total_inactive_file")
                .asLong(memory.path("stats").path("inactive_file").asLong(0));
        long used = memory.path("usage").asLong(0);
        return new TaskStats(
                at,
                user,
                system,
                Math.max(0, used - cache),
                memory.path("max_usage").asLong(0),
                pid > 0 ? List.of(pid) : List.of());
    }
}
