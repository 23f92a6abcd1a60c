package io.cleat.bench;

import io.cleat.api.AllocationStub;
import io.cleat.api.JobStub;
import io.cleat.api.Params;
import io.cleat.api.UnexpectedAnswer;
import io.cleat.base.Chance;
import io.cleat.base.Deadline;
import io.cleat.base.LinkTrouble;
import io.cleat.base.Secrets;
import io.cleat.base.SystemTime;
import io.cleat.base.Threads;
import io.cleat.csi.AccessMode;
import io.cleat.csi.AccessType;
import io.cleat.csi.CallObserver;
import io.cleat.csi.CallPolicy;
import io.cleat.csi.CapacityRange;
import io.cleat.csi.ContentSource;
import io.cleat.csi.PluginChannel;
import io.cleat.csi.VolumeOrder;
import io.cleat.csi.VolumeUse;
import io.cleat.kernel.MountTable;
import io.cleat.kernel.Mounts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Many volumes on one node, by a real agent and its bundled plugin: 300 created, 100 workloads with one each, and with
 * 200 of them a restart after a crash.
 */
final class NodeBench implements Bench {
    private static final int CREATES = 300;
    private static final int SIDE_BY_SIDE = 16;
    private static final int FIRST = 100;
    private static final int ALL = 200;
    private static final double CREATE_BUDGET = 10;
    private static final double EACH_BUDGET = 0.1;
    private static final double RESTART_BUDGET = 5;
    private static final Duration WITHIN = Duration.ofSeconds(30);
    private static final Duration LOOK = Duration.ofMillis(20);

    private final SystemTime time = new SystemTime();
    private final Threads threads = Threads.virtual(OwnProcess::endBy);

    @Override
    public String name() {
        return "node";
    }

    @Override
    public String about() {
        return "300 creates, 100 workloads with volumes, a restart with 200 mounts";
    }

    @Override
    public List<BenchRow> run(Path scratch) throws Exception {
        if (!Launcher.isRoot()) {
            return List.of(BenchRow.absent("creates, workloads, restart", "reason: needs root"));
        }
        Path data = scratch.resolve("d");
        Path signs = Files.createDirectory(scratch.resolve("signs"));
        List<BenchRow> rows = new ArrayList<>();
        DevProcess agent = DevProcess.start(scratch, Optional.of(data));
        try {
            agent.awaitLeader();
            agent.awaitPlugin(DevProcess.PLUGIN);
            rows.addAll(creates(agent, data));
            rows.add(workloads(agent, scratch, signs));
            agent = restart(agent, scratch, data, signs, rows);
        } finally {
            end(agent, data);
        }
        return rows;
    }

    private List<BenchRow> creates(DevProcess agent, Path data) throws Exception {
        Path socket = data.resolve("client/csi/plugins");
        try (Stream<Path> instances = Files.list(socket)) {
            socket = instances.findFirst().orElseThrow().resolve("csi.sock");
        }
        Samples own = new Samples();
        Samples bare = new Samples();
        try (PluginChannel channel = PluginChannel.open(
                DevProcess.PLUGIN, socket, CallPolicy.standard(), time, Chance.system(), CallObserver.NONE)) {
            for (int i = 0; i < FIRST; i++) {
                long begin = System.nanoTime();
                String id = channel.controller()
                        .create(order("bare-" + i), Deadline.in(time, WITHIN))
                        .volumeId();
                long middle = System.nanoTime();
                agent.create(Specs.directory(volume(i)));
                own.add(System.nanoTime() - middle);
                bare.add(middle - begin);
                channel.controller().delete(id, Secrets.none(), Deadline.in(time, WITHIN));
            }
        }
        long begin = System.nanoTime();
        List<Thread> callers = new ArrayList<>();
        for (int c = 0; c < SIDE_BY_SIDE; c++) {
            int first = FIRST + c;
            DevProcess to = agent;
            callers.add(threads.vitalWork("bench/create", () -> createEvery(to, first)));
        }
        for (Thread caller : callers) {
            caller.join();
        }
        double rest = (System.nanoTime() - begin) / 1e9;
        double perSecond = (CREATES - FIRST) / rest;
        double all = own.median() * FIRST + rest;
        return List.of(
                BenchRow.of("create a volume, over the API", own.median(), Unit.SECONDS)
                        .limit("the plugin's call alone", bare.median())
                        .detail(own.tail()),
                BenchRow.of("creates, " + SIDE_BY_SIDE + " callers", perSecond, Unit.PER_SECOND)
                        .limit("one by one, plugin alone", 1 / bare.median())
                        .budget("300 in 10 s", all <= CREATE_BUDGET)
                        .detail(CREATES - FIRST + " in " + Unit.SECONDS.text(rest)));
    }

    private static void createEvery(DevProcess agent, int first) {
        for (int i = first; i < CREATES; i += SIDE_BY_SIDE) {
            try {
                agent.create(Specs.directory(volume(i)));
            } catch (UnexpectedAnswer | LinkTrouble failed) {
                throw new IllegalStateException("creating " + volume(i), failed);
            }
        }
    }

    private static VolumeOrder order(String name) {
        return new VolumeOrder(
                name,
                new CapacityRange(0, 0),
                List.of(new VolumeUse(AccessType.MOUNT, AccessMode.SINGLE_NODE_WRITER)),
                Map.of("type", "directory"),
                Secrets.none(),
                List.of(),
                List.of(),
                ContentSource.EMPTY,
                Map.of());
    }

    private static String volume(int number) {
        return "v-" + number;
    }

    private static String job(int number) {
        return "w-" + number;
    }

    private BenchRow workloads(DevProcess agent, Path scratch, Path signs) throws Exception {
        double byHand = byHand(scratch);
        long begin = System.nanoTime();
        start(agent, signs, 0, FIRST);
        double each = (System.nanoTime() - begin) / 1e9 / FIRST;
        byHand = (byHand + byHand(scratch)) / 2;
        return BenchRow.of("each of 100 workloads with a volume", each, Unit.SECONDS)
                .limit("3 binds and a shell by hand", byHand)
                .budget("100 ms", each <= EACH_BUDGET)
                .detail("all submitted at once, until the last runs, by their number");
    }

    /** Starts workloads that write to their volume now and then, and say so if they cannot. */
    private static void start(DevProcess agent, Path signs, int from, int to) throws Exception {
        for (int i = from; i < to; i++) {
            String script = "touch %s/up-%d; while echo x >>$CLEAT_VOLUME_data/x || touch %s/error-%d; do sleep 3; done"
                    .formatted(signs, i, signs, i);
            agent.register(Specs.workload(job(i), volume(i), script));
        }
        Until.until("all workloads run", LOOK, () -> count(signs, "up-") >= to);
    }

    private static long count(Path signs, String prefix) throws IOException {
        try (Stream<Path> files = Files.list(signs)) {
            return files.filter(f -> f.getFileName().toString().startsWith(prefix))
                    .count();
        }
    }

    /** Seconds for a directory bound three times and a shell started, as for one workload. */
    private static double byHand(Path scratch) throws Exception {
        Mounts mounts = Mounts.linux();
        Path hand = Files.createDirectories(scratch.resolve("hand"));
        List<Process> shells = new ArrayList<>();
        List<Path> targets = new ArrayList<>();
        long begin = System.nanoTime();
        try {
            for (int i = 0; i < FIRST; i++) {
                Path from = Files.createDirectories(hand.resolve("from-" + i));
                for (int k = 0; k < 3; k++) {
                    Path to = Files.createDirectories(hand.resolve("to-" + i + "-" + k));
                    mounts.bind(from, to);
                    targets.add(to);
                }
                shells.add(new ProcessBuilder("/bin/sh", "-c", "exec sleep 1000").start());
            }
            return (System.nanoTime() - begin) / 1e9 / FIRST;
        } finally {
            shells.forEach(Process::destroyForcibly);
            for (Path target : targets) {
                mounts.unmount(target);
            }
        }
    }

    private DevProcess restart(DevProcess first, Path scratch, Path data, Path signs, List<BenchRow> rows)
            throws Exception {
        start(first, signs, FIRST, ALL);
        // A workload says that it is up before the agent does.
        Until.until("the API says so", LOOK, () -> running(first).size() == ALL);
        Set<String> allocations = running(first);
        Set<String> mounts = mounts(data);
        first.kill();
        double hello = Commands.run(Jvm.hello()) / 1e9;
        DevProcess second = DevProcess.start(scratch, Optional.of(data));
        for (String allocation : allocations) {
            Until.soon(
                    "allocation " + allocation + " is taken over",
                    () -> !second.client()
                            .allocations()
                            .stats(allocation, Params.none())
                            .Tasks()
                            .isEmpty());
        }
        double seconds = (System.nanoTime() - second.begun()) / 1e9;
        second.awaitPlugin(DevProcess.PLUGIN);
        Thread.sleep(Duration.ofSeconds(4)); // each workload has written once more
        long errors = count(signs, "error-");
        boolean isSame = mounts.equals(mounts(data)) && running(second).equals(allocations);
        rows.add(BenchRow.of("restart after a crash, 200 mounts", seconds, Unit.SECONDS)
                .limit("a JVM's hello", hello)
                .budget("5 s, no I/O error", seconds <= RESTART_BUDGET && errors == 0 && isSame)
                .detail("until the agent answers for all "
                        + allocations.size()
                        + " workloads; I/O errors: "
                        + errors
                        + ", same mounts and allocations: "
                        + (isSame ? "yes" : "NO")));
        return second;
    }

    private static Set<String> running(DevProcess agent) throws UnexpectedAnswer, LinkTrouble {
        return agent.allocations().stream()
                .filter(a -> a.JobID().startsWith("w-") && a.ClientStatus().equals("running"))
                .map(AllocationStub::ID)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> mounts(Path data) throws Exception {
        return MountTable.readTwice().atOrBelow(data.toRealPath()).stream()
                .map(mount -> mount.target())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Stops the workloads, then the plugin, then the agent, each once nothing is left of those. */
    private static void end(DevProcess agent, Path data) throws Exception {
        agent.awaitLeader();
        for (JobStub job : agent.client().jobs().list(Params.none()).body()) {
            if (job.ID().startsWith("w-")) {
                agent.stop(job.ID());
            }
        }
        Until.until("all workloads have ended", LOOK, () -> ended(agent, "w-"));
        agent.client().jobs().deregister("local-plugin", true, true, Params.none());
        Until.until("the plugin has ended", LOOK, () -> ended(agent, "local-plugin"));
        Until.until("the allocations are collected", LOOK, () -> {
            agent.client().agent().collectGarbage();
            return count(data.resolve("client/allocations"), "") == 0;
        });
        agent.close();
    }

    private static boolean ended(DevProcess agent, String prefix) throws UnexpectedAnswer, LinkTrouble {
        return agent.allocations().stream()
                .filter(a -> a.JobID().startsWith(prefix))
                .allMatch(a ->
                        a.ClientStatus().equals("complete") || a.ClientStatus().equals("failed"));
    }
}
