package io.cleat.driver.shim;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a task may have of what its memory and processor time do not bound, under whichever driver: so that no task uses
 * up what the machine has but once. Names are those of getrlimit(2).
 */
public final class ProcessLimits {
    /** Processes and threads of a task together: enough for any server. */
    public static final long TASKS = 4096;

    private static final long MEBI = 1 << 20;

    /** Of each process. Locked memory and message queues are what Linux gives if nobody says more. */
    private static final Map<String, Long> EACH = Map.of(
            "core", 0L,
            "memlock", 8 * MEBI,
            "msgqueue", 819_200L,
            "nofile", 65_536L,
            "rtprio", 0L);

    /** How {@code /proc/PID/limits} calls them (proc_pid_limits(5)). */
    private static final Map<String, String> LINES = Map.of(
            "core", "Max core file size",
            "memlock", "Max locked memory",
            "msgqueue", "Max msgqueue size",
            "nofile", "Max open files",
            "rtprio", "Max realtime priority");

    private ProcessLimits() {}

    /** Of each process, where whoever sets them knows what this machine allows. */
    public static Map<String, Long> ofEach() {
        return EACH;
    }

    /** Of each process, and none above this process's own hard limit, which a runtime cannot raise. */
    public static Map<String, Long> ofEachHere() {
        try {
            return within(Files.readAllLines(Path.of("/proc/self/limits")));
        } catch (IOException unknown) {
            return EACH;
        }
    }

    /** @param limits lines of {@code /proc/PID/limits}: name, soft limit, hard limit, unit */
    static Map<String, Long> within(List<String> limits) {
        Map<String, Long> found = new TreeMap<>(EACH);
        for (String line : limits) {
            for (Map.Entry<String, String> each : LINES.entrySet()) {
                if (line.startsWith(each.getValue() + " ")) {
                    String[] values =
                            line.substring(each.getValue().length()).strip().split("\\s+", 3);
                    if (values.length > 1 && values[1].matches("\\d{1,18}")) {
                        found.merge(each.getKey(), Long.parseLong(values[1]), Math::min);
                    }
                }
            }
        }
        return found;
    }
}
