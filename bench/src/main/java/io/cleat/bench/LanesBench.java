package io.cleat.bench;

import io.cleat.base.Deadline;
import io.cleat.base.Secrets;
import io.cleat.base.SystemTime;
import io.cleat.base.Threads;
import io.cleat.model.JobId;
import io.cleat.server.Server;
import io.cleat.server.intake.Asked;
import io.cleat.wire.InProcessLink;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * From a job's registration to its volume being attached, without other work and while 2,000 slow detaches of the same
 * plugin are under way or wait: a real server and log, a played node.
 */
final class LanesBench implements Bench {
    private static final int JOBS = Integer.getInteger("cleat.bench.jobs", 20);
    private static final int VOLUMES_EACH = 100;
    private static final int ATTACHES = 100;
    private static final Duration DETACHING = Duration.ofSeconds(10);
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final SystemTime time = new SystemTime();
    private final Threads threads = Threads.virtual(OwnProcess::endBy);

    @Override
    public String name() {
        return "lanes";
    }

    @Override
    public String about() {
        return "attaching beside 2,000 slow detaches";
    }

    @Override
    public List<BenchRow> run(Path scratch) throws Exception {
        try (Server server = LeadingServer.in(scratch.resolve("server"), time, threads)) {
            PlayedNode node = new PlayedNode(
                    InProcessLink.to(server.sessions(), threads).connect(Deadline.in(time, PATIENCE)),
                    threads,
                    DETACHING);
            Samples alone = attaches(server, node, "alone");
            for (int i = 0; i < JOBS; i++) {
                run(server, "many-" + i, VOLUMES_EACH);
            }
            for (int i = 0; i < JOBS; i++) {
                node.awaitGranted("many-" + i);
            }
            int before = node.detaches();
            for (int i = 0; i < JOBS; i++) {
                stop(server, "many-" + i);
            }
            Samples beside = attaches(server, node, "beside");
            int detaches = node.detaches() - before;
            int left = server.requests().reads().read(true).attachments().all().size();
            node.close();
            return List.of(BenchRow.of(
                            "attach beside " + JOBS * VOLUMES_EACH + " detaches, p99", beside.seconds(99), Unit.SECONDS)
                    .limit("without them", alone.seconds(99))
                    .budget("2 x", beside.seconds(99) <= 2 * alone.seconds(99))
                    .detail("p50 "
                            + Unit.SECONDS.text(beside.median())
                            + " beside "
                            + Unit.SECONDS.text(alone.median())
                            + "; detaches of "
                            + DETACHING.toSeconds()
                            + " s begun meanwhile: "
                            + detaches
                            + ", attachments at the end: "
                            + left));
        }
    }

    /** One job after the other, each with a volume of its own. */
    private Samples attaches(Server server, PlayedNode node, String name) throws Exception {
        Samples times = new Samples();
        for (int i = 0; i < ATTACHES; i++) {
            String job = name + "-" + i;
            register(server, job + "-0");
            long begin = System.nanoTime();
            register(server, job, List.of(job + "-0"));
            times.add(node.awaitGranted(job) - begin);
        }
        return times;
    }

    private void run(Server server, String job, int volumes) throws Exception {
        List<String> ids = new ArrayList<>(
                IntStream.range(0, volumes).mapToObj(i -> job + "-" + i).toList());
        for (String id : ids) {
            register(server, id);
        }
        register(server, job, ids);
    }

    private void register(Server server, String volume) throws Exception {
        server.requests().volumes().register(ModelSpecs.volume(volume), Secrets.none(), asked());
    }

    private void register(Server server, String job, List<String> volumes) throws Exception {
        server.requests().jobs().register(ModelSpecs.job(job, volumes), null, null, 0, asked());
    }

    private void stop(Server server, String job) throws Exception {
        server.requests().jobs().deregister(new JobId("default", job), false, false, false, 0, asked());
    }

    private Asked asked() {
        return Asked.within(Deadline.in(time, PATIENCE));
    }
}
