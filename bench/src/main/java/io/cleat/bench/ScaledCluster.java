package io.cleat.bench;

import io.cleat.api.Json;
import io.cleat.base.Deadline;
import io.cleat.base.EarlyEnd;
import io.cleat.base.Secrets;
import io.cleat.base.SystemTime;
import io.cleat.base.Threads;
import io.cleat.clusterapi.ServerCluster;
import io.cleat.model.ClientStatus;
import io.cleat.model.JobId;
import io.cleat.model.JobSpec;
import io.cleat.server.Server;
import io.cleat.server.intake.Asked;
import io.cleat.server.intake.Versions;
import io.cleat.state.ClusterState;
import io.cleat.state.TableName;
import io.cleat.state.VolumeKey;
import io.cleat.wire.GrpcSessions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * A real server and log with so many played nodes, and ten times as many volumes and allocations, up to a bound: what
 * each thing takes there. Processor times are the server's, less what it takes anyway to hear its nodes.
 */
final class ScaledCluster implements AutoCloseable {
    private static final int OF_EACH_NODE = 10;

    /** Volumes, and allocations: with more it would take an hour. */
    private static final int MOST = 10_000;

    private static final int JOBS = 30;
    private static final int PAGES = 200;
    private static final int CALLERS = 32;
    private static final Duration PATIENCE = Duration.ofMinutes(10);
    private static final Duration IDLE = Duration.ofSeconds(10);
    private static final Duration LOOK = Duration.ofSeconds(5);
    private static final Duration GLANCE = Duration.ofMillis(200);

    private final SystemTime time = new SystemTime();
    private final Threads threads = Threads.virtual(OwnProcess::endBy);
    private final Map<String, Double> costs = new LinkedHashMap<>();
    private final Path directory;
    private final int nodes;
    private final Crowd crowd;
    private final double heapOfNode;
    private Server server;
    private GrpcSessions sessions;
    private double idle;

    /** Begins without nodes, and without work. */
    ScaledCluster(Path directory, int nodes) throws Exception {
        this.directory = directory;
        this.nodes = nodes;
        this.server = lead();
        long heap = OwnProcess.heap();
        double begun = OwnProcess.processorSeconds();
        this.sessions = letIn();
        this.crowd = Crowd.start(socket(), nodes);
        crowd.awaitLetIn(nodes);
        note("a node that joins, processor", (OwnProcess.processorSeconds() - begun) / nodes);
        this.heapOfNode = (double) (OwnProcess.heap() - heap) / nodes;
    }

    /** Bytes of the server's heap for each node, with its link. */
    double heapOfNode() {
        return heapOfNode;
    }

    private Path socket() {
        return directory.resolve("nodes.sock");
    }

    private Server lead() throws Exception {
        return LeadingServer.in(directory.resolve("server"), time, threads);
    }

    private GrpcSessions letIn() throws Exception {
        return GrpcSessions.listen(socket(), server.sessions(), threads);
    }

    /** Seconds, by what they are of, in the order in which they were measured. */
    Map<String, Double> measure() throws Exception {
        hearsNodes();
        registersVolumes();
        placesMany();
        runsAndStopsJobs();
        showsPages();
        comesBack();
        return costs;
    }

    private void note(String what, double seconds) {
        costs.put(what, seconds);
        System.err.println("  " + nodes + " nodes: " + what + ": " + Unit.SECONDS.text(seconds));
    }

    private void hearsNodes() throws Exception {
        double begun = OwnProcess.processorSeconds();
        time.sleep(IDLE);
        idle = (OwnProcess.processorSeconds() - begun) / Samples.seconds(IDLE);
        note("a node that is heard, processor in a second", idle / nodes);
    }

    /** Something that is done many times. */
    @FunctionalInterface
    private interface Work {
        void run() throws Exception;
    }

    /** The processor time of each of {@code count}. */
    private double processor(int count, Work work) throws Exception {
        double begun = OwnProcess.processorSeconds();
        long from = time.nanos();
        work.run();
        double heard = idle * (time.nanos() - from) / 1e9;
        return (OwnProcess.processorSeconds() - begun - heard) / count;
    }

    private int many() {
        return Math.min(OF_EACH_NODE * nodes, MOST);
    }

    private void registersVolumes() throws Exception {
        int count = many();
        List<Integer> callers = IntStream.range(0, CALLERS).boxed().toList();
        double each = processor(
                count,
                () -> Concurrently.of(callers, caller -> {
                    for (int i = caller; i < count; i += CALLERS) {
                        register("volume-" + i);
                    }
                    return caller;
                }));
        note("a volume, registered and confirmed by its plugin, processor", each);
    }

    private void register(String volume) throws Exception {
        server.requests().volumes().register(ModelSpecs.volume(volume), Secrets.none(), asked());
    }

    private void placesMany() throws Exception {
        int count = many();
        double each = processor(count, () -> {
            run(ModelSpecs.job("many", List.of()), count);
            // Not at each change: going over all of them is not what is measured.
            while (!isRunning(server.requests().reads().known(), "many", count)) {
                time.sleep(GLANCE);
            }
        });
        note("one of many allocations, placed and started, processor", each);
    }

    private void run(JobSpec job, int count) throws Exception {
        JobSpec counted = job.withGroups(List.of(job.groups().getFirst().withCount(count)));
        server.requests().jobs().register(counted, null, null, 0, asked());
    }

    private static boolean isRunning(ClusterState state, String job, int count) {
        return state.allocationsOfJob(new JobId("default", job)).stream()
                        .filter(row -> row.status() == ClientStatus.RUNNING)
                        .count()
                == count;
    }

    /** Jobs with a volume each, one after the other. */
    private void runsAndStopsJobs() throws Exception {
        Samples starts = new Samples();
        Samples stops = new Samples();
        for (int i = 0; i < JOBS; i++) {
            register("own-" + i);
        }
        double each = processor(JOBS, () -> {
            for (int i = 0; i < JOBS; i++) {
                String job = "job-" + i;
                String volume = "own-" + i;
                long begin = time.nanos();
                run(ModelSpecs.job(job, List.of(volume)), 1);
                await(TableName.ALLOCATIONS, job + " runs", state -> isRunning(state, job, 1));
                long runs = time.nanos();
                server.requests().jobs().deregister(new JobId("default", job), false, false, false, 0, asked());
                VolumeKey key = new VolumeKey(
                        ModelSpecs.PLUGIN, ModelSpecs.volume(volume).externalId());
                await(
                        TableName.ATTACHMENTS,
                        volume + " is free",
                        state -> state.attachments().of(key).isEmpty());
                starts.add(runs - begin);
                stops.add(time.nanos() - runs);
            }
        });
        note("a job with a volume, until it runs", starts.median());
        note("stopped, until its volume is detached", stops.median());
        note("both, processor", each);
    }

    private void showsPages() throws Exception {
        ServerCluster cluster = InProcessApi.over(server.requests().reads(), server.requests(), time);
        int volumes = many();
        double each = processor(PAGES, () -> {
            for (int i = 0; i < PAGES; i++) {
                String token = "default.volume-" + (long) volumes * i / PAGES;
                byte[] page = Json.write(cluster.volumes()
                        .list(InProcessApi.page(token), "", "")
                        .body()
                        .toList());
                if (page.length < 100) {
                    throw new IllegalStateException("an empty page");
                }
            }
        });
        note("a page of 100 volumes, processor", each);
    }

    /** The same server on the same disk begins anew: until all nodes are back. */
    private void comesBack() throws Exception {
        sessions.close();
        server.close();
        double begun = OwnProcess.processorSeconds();
        server = lead();
        double read = OwnProcess.processorSeconds();
        sessions = letIn();
        crowd.awaitLetIn(2 * nodes);
        note("of a server's start, for each node, processor", (read - begun) / nodes);
        note("a node that comes back with its allocations, processor", (OwnProcess.processorSeconds() - read) / nodes);
    }

    private void await(TableName table, String what, Predicate<ClusterState> isTrue) throws Exception {
        long index = 0;
        long end = time.nanos() + PATIENCE.toNanos();
        while (time.nanos() < end) {
            ClusterState state =
                    server.requests().reads().readNewer(true, Versions.of(table), index, LOOK, EarlyEnd.NEVER);
            if (isTrue.test(state)) {
                return;
            }
            index = state.version(table);
        }
        throw new IllegalStateException("not within " + PATIENCE + ": " + what);
    }

    private Asked asked() {
        return Asked.within(Deadline.in(time, PATIENCE));
    }

    @Override
    public void close() {
        crowd.close();
        sessions.close();
        server.close();
    }
}
