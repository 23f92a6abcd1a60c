package io.cleat.launch;

import io.cleat.cli.Failure;
import io.cleat.cli.Flag;
import io.cleat.cli.Flags;
import io.cleat.server.decide.CollectGarbage;
import io.cleat.server.duty.Garbage;
import java.time.Duration;
import java.util.List;

/** The flags of a server that say how long what is over is kept. */
final class GarbageFlags {
    private static final String INTERVAL = "gc-interval";
    private static final String EVALUATIONS = "eval-gc-threshold";
    private static final String JOBS = "job-gc-threshold";
    private static final String NODES = "node-gc-threshold";
    private static final String KEPT = "gc-max-ended";

    static final List<Flag> OWN = List.of(
            Flag.value(INTERVAL, "time", "How often a server looks for what can go; 5m unless given."),
            Flag.value(
                    EVALUATIONS,
                    "time",
                    "How long ended evaluations, allocations and deployments are kept; 1h unless given."),
            Flag.value(JOBS, "time", "How long dead jobs are kept; 4h unless given."),
            Flag.value(NODES, "time", "How long nodes that are down are kept; 24h unless given."),
            Flag.value(
                    KEPT,
                    "number",
                    "Of ended evaluations, ended allocations, dead jobs and finished"
                            + " operations each, how many are kept at most, however young;"
                            + " 2000 unless given."));

    private GarbageFlags() {}

    static Garbage read(Flags flags) throws Failure {
        CollectGarbage usual = CollectGarbage.REGULARLY;
        return new Garbage(
                time(flags, INTERVAL, Garbage.USUAL.interval()),
                new CollectGarbage(
                        time(flags, EVALUATIONS, usual.evaluations()),
                        time(flags, JOBS, usual.jobs()),
                        time(flags, NODES, usual.nodes()),
                        usual.requests(),
                        flags.number(KEPT, 1, 1_000_000_000, usual.kept())));
    }

    private static Duration time(Flags flags, String name, Duration usual) throws Failure {
        Duration time = flags.duration(name).orElse(usual);
        if (time.compareTo(Duration.ofSeconds(1)) < 0) {
            throw new Failure(
                    "-" + name + "=" + flags.value(name).orElse("") + " is less than a second",
                    "expected a time such as 30s, 10m or 4h");
        }
        return time;
    }
}
