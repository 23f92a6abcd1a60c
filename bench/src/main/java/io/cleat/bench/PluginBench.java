package io.cleat.bench;

import io.cleat.agent.plugins.PluginPaths;
import io.cleat.api.AllocationStub;
import io.cleat.base.Chance;
import io.cleat.base.Deadline;
import io.cleat.base.SystemTime;
import io.cleat.csi.CallObserver;
import io.cleat.csi.CallPolicy;
import io.cleat.csi.PluginChannel;
import io.cleat.testkit.FakeCsiPlugin;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * From the moment a plugin's socket answers to the moment the API shows it healthy, so that it can be scheduled to. The
 * plugin's task only sleeps; who answers is in this process, and begins late.
 */
final class PluginBench implements Bench {
    private static final int TURNS = 12;
    private static final double BUDGET = 0.3;
    private static final Duration WITHIN = Duration.ofSeconds(10);

    @Override
    public String name() {
        return "plugin";
    }

    @Override
    public String about() {
        return "a plugin's socket answers, until it can be scheduled to";
    }

    @Override
    public List<BenchRow> run(Path scratch) throws Exception {
        if (!Launcher.isRoot()) {
            return List.of(BenchRow.absent("plugin schedulable", "reason: needs root"));
        }
        Samples own = new Samples();
        Samples bare = new Samples();
        // The first call to a plugin in this process loads classes: not the agent's time.
        Path warm = scratch.resolve("warm");
        try (FakeCsiPlugin _ = FakeCsiPlugin.start(warm)) {
            threeCalls(warm);
        }
        try (DevProcess agent = DevProcess.start(scratch, Optional.empty())) {
            agent.awaitLeader();
            agent.awaitPlugin(DevProcess.PLUGIN);
            PluginPaths paths = new PluginPaths(agent.data().resolve("client/csi"));
            for (int i = 0; i < TURNS; i++) {
                String id = "late-" + i;
                agent.register(Specs.sleepingPlugin(id));
                Path[] directory = new Path[1];
                Until.soon("the task of " + id + " runs", () -> {
                    for (AllocationStub one : agent.allocations()) {
                        if (one.JobID().equals(id) && one.ClientStatus().equals("running")) {
                            directory[0] = paths.control(one.ID(), "t");
                            return Files.isDirectory(directory[0]);
                        }
                    }
                    return false;
                });
                // Long enough for the agent to look seldom, as it would while a JVM starts.
                Thread.sleep(1000);
                Path socket = directory[0].resolve("csi.sock");
                try (FakeCsiPlugin _ = FakeCsiPlugin.start(socket)) {
                    long begin = System.nanoTime();
                    agent.awaitPlugin(id);
                    own.add(System.nanoTime() - begin);
                    bare.add(threeCalls(socket));
                    agent.stop(id);
                }
            }
        }
        return List.of(BenchRow.of("plugin answers to schedulable", own.median(), Unit.SECONDS)
                .limit("three bare calls", bare.median())
                .budget("300 ms", own.seconds(95) <= BUDGET)
                .detail("the longest " + Unit.SECONDS.text(own.seconds(100))));
    }

    private static long threeCalls(Path socket) throws Exception {
        SystemTime time = new SystemTime();
        long begin = System.nanoTime();
        try (PluginChannel channel =
                PluginChannel.open("bare", socket, CallPolicy.standard(), time, Chance.system(), CallObserver.NONE)) {
            channel.identity().isReady(Deadline.in(time, WITHIN));
            channel.identity().info(Deadline.in(time, WITHIN));
            channel.node().info(Deadline.in(time, WITHIN));
            return System.nanoTime() - begin;
        }
    }
}
