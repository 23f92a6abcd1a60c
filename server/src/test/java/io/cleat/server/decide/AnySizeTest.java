package io.cleat.server.decide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.model.ClientStatus;
import io.cleat.model.DesiredStatus;
import io.cleat.model.JobSpec;
import io.cleat.model.JobType;
import io.cleat.model.NodeFacts;
import io.cleat.model.Resources;
import io.cleat.model.UpdatePolicy;
import io.cleat.model.VolumeRequest;
import io.cleat.server.FactsDraft;
import io.cleat.state.AllocationRow;
import io.cleat.state.DeploymentRow;
import io.cleat.state.DeploymentStatus;
import io.cleat.state.EvaluationRow;
import io.cleat.state.EvaluationStatus;
import io.cleat.state.TableName;
import io.cleat.state.VolumeProgress;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Whatever the size of the cluster: each decision is below 256 KiB, which {@link Cluster} holds it to; what has to wait
 * is looked at again after each change that may help; and no row is lost.
 *
 * <p>One size is drawn anew in each run, from a bound that keeps it to seconds; its seed is printed and is in what
 * fails. {@code -Dcleat.sizes.seed=S} draws that one again. {@code -Dcleat.sizes=N} draws N further sizes of up to
 * 10,000 nodes, 5,000 blocked evaluations and counts of 10,000; they take minutes each.
 */
final class AnySizeTest {
    private static final int MOST_NODES = 10_000;
    private static final int MOST_BLOCKED = 5_000;
    private static final int MOST_WANTED = 10_000;

    /** Nodes that are looked at for those that wait, each time that all look; and what is placed. */
    private static final long MOST_LOOKS = 20_000;

    private static final int MOST_PLACED = 400;
    private static final int MOST_WAITING = 600;

    /** On more nodes than that no system job is run: it takes minutes. */
    private static final int MOST_ON_EACH = 1_500;

    /** The claims of a shared volume are gone over for each node of each placement. */
    private static final long MOST_CLAIM_LOOKS = 1_000_000;

    @Test
    void oneNode() {
        new SizedCluster(1, 0, 1).passes();
    }

    @Test
    void tenThousandNodes() {
        new SizedCluster(MOST_NODES, 0, 3).passes();
    }

    @Test
    void aThousandBlockedEvaluations() {
        new SizedCluster(1, 1000, 5).passes();
    }

    @Test
    void aCountOfTenThousand_ofWhichAFewFit() {
        new SizedCluster(3, 1, MOST_WANTED).passes();
    }

    @Test
    void aCountOfAThousandThatFits() {
        new SizedCluster(40, 7, 1000).passes();
    }

    @Test
    void manyOfEach() {
        new SizedCluster(200, 400, 300).passes();
    }

    @Test
    void aSizeThatNobodyChose() {
        long seed = Long.getLong("cleat.sizes.seed", System.nanoTime());
        Random random = new Random(seed);
        SizedCluster drawn;
        do {
            drawn = SizedCluster.drawn(random);
        } while (!drawn.takesSeconds());
        passes(drawn, "seed " + seed);
    }

    @Test
    void furtherSizes_asManyAsAreAskedFor() {
        Random random = new Random(1);
        for (int i = 0; i < Integer.getInteger("cleat.sizes", 0); i++) {
            passes(SizedCluster.drawn(random), "size " + i);
        }
    }

    private static void passes(SizedCluster size, String from) {
        long begin = System.nanoTime();
        try {
            size.passes();
        } catch (AssertionError failed) {
            throw new AssertionError(from + ": " + failed.getMessage(), failed);
        }
        System.out.printf(
                "any size, %s: %s, largest decision %,d bytes (%s), %.1f s%n",
                from, size, size.cluster.largest(), size.cluster.largestOf(), (System.nanoTime() - begin) / 1e9);
    }

    /** How the system job is updated: its canaries are a tenth of its nodes. */
    private static final UpdatePolicy ON_EACH = new UpdatePolicy(
            MOST_NODES,
            10,
            "task_states",
            Duration.ofSeconds(10),
            Duration.ofMinutes(5),
            Duration.ofMinutes(10),
            Duration.ZERO,
            false,
            false);

    /** One cluster and its life. */
    private static final class SizedCluster {
        /**
         * Allocations of the service that fit on one node, beside that of the system job and that of the owner of the
         * sole volume; one more does not without them either.
         */
        private static final int FIT = 50;

        private static final String SHARED = "shared";
        private static final String SOLE = "sole";

        private final Cluster cluster = new Cluster();
        private final int nodes;
        private final int blocked;
        private final int count;

        SizedCluster(int nodes, int blocked, int count) {
            this.nodes = nodes;
            this.blocked = blocked;
            this.count = count;
        }

        static SizedCluster drawn(Random random) {
            return new SizedCluster(
                    1 + upTo(random, MOST_NODES - 1), upTo(random, MOST_BLOCKED), 1 + upTo(random, MOST_WANTED - 1));
        }

        /** As often up to 10 as between 10 and 100; 0 as often as any other small number. */
        private static int upTo(Random random, int most) {
            return (int) Math.exp(random.nextDouble() * Math.log(most + 1.0)) - 1;
        }

        boolean takesSeconds() {
            return blocked <= MOST_WAITING
                    && (long) nodes * (blocked + 1) <= MOST_LOOKS
                    && Math.min(count, (long) FIT * nodes) <= MOST_PLACED;
        }

        void passes() {
            registers(0, "boot-1");
            cluster.volume(SHARED, Cluster.SHARED);
            cluster.volume(SOLE, Cluster.WRITER);
            cluster.run(Cluster.sized(writer("holder"), new Resources(1, 1, 0)));
            for (int i = 0; i < blocked; i++) {
                cluster.run(waiting(i));
            }
            for (int i = 1; i < nodes; i++) {
                registers(i, "boot-1");
                if (i == nodes / 2) {
                    cluster.restart();
                }
            }
            rests("the nodes came", nodes > 1);
            if (nodes <= MOST_ON_EACH) {
                cluster.run(each("/bin/a"));
                rests("the system job was registered", false);
                requireOnEachNode();
                triesOnSomeNodes();
            }
            cluster.run(web("/bin/a"));
            rests("the job was registered", false);
            cluster.accept(new NodeUnheard(node(0), "heartbeat missed", cluster.id()));
            cluster.schedule();
            registers(0, "boot-2");
            rests("a node went and returned", true);
            cluster.run(web("/bin/b"));
            rests("its text was changed", false);
            for (AllocationRow row : running("web")) {
                assertEquals(cluster.state().job(row.job()).orElseThrow().current(), row.jobVersion());
            }
            givesUpTheSoleVolume();
            cluster.stop("web");
            assertEquals(List.of(), running("web"), this::toString);
            if (nodes <= MOST_ON_EACH) {
                requireOnEachNode();
                cluster.stop("each");
                assertEquals(List.of(), running("each"), this::toString);
            }
            assertEquals(0, cluster.state().count(TableName.REMAINDERS), this::toString);
        }

        private JobSpec each(String command) {
            return Cluster.sized(
                    Cluster.with(Cluster.job("each", JobType.SYSTEM, 1, null, command, shared()), null, ON_EACH),
                    new Resources(49, 1, 0));
        }

        /** A new text of the system job is tried on a tenth of the nodes, and then on all. */
        private void triesOnSomeNodes() {
            eachIsHealthy();
            cluster.run(each("/bin/b"));
            requireOnEachNode();
            long tried =
                    running("each").stream().filter(AllocationRow::isCanary).count();
            assertEquals(Math.ceilDiv(nodes, 10), tried, this::toString);
            DeploymentRow deployment = eachIsHealthy();
            assertEquals(DeploymentStatus.RUNNING, deployment.status(), this::toString);
            assertEquals(
                    List.of(nodes),
                    deployment.groups().values().stream()
                            .map(DeploymentRow.Group::desiredTotal)
                            .toList(),
                    this::toString);
            cluster.accept(new PromoteDeployment(deployment.id(), List.of(), cluster.id()));
            cluster.schedule();
            requireOnEachNode();
            stoppedOnesEnd("each");
            assertEquals(DeploymentStatus.SUCCESSFUL, eachIsHealthy().status(), this::toString);
        }

        private DeploymentRow eachIsHealthy() {
            running("each").stream().filter(row -> row.seen().health() == null).forEach(row -> cluster.says(row, true));
            cluster.schedule();
            String id = cluster.state()
                    .deployments()
                    .ofJob(Cluster.jobId("each"))
                    .getLast()
                    .id();
            cluster.accept(new AdvanceDeployment(id, cluster.id()));
            return cluster.state().deployments().get(id).orElseThrow();
        }

        /** One of those that wait for it has it next, and all others wait on. */
        private void givesUpTheSoleVolume() {
            stoppedOnesEnd("web");
            AllocationRow owner = owners().getFirst();
            cluster.stop(owner.job().id());
            cluster.ends(owner, ClientStatus.COMPLETE);
            assertEquals(waitForVolume() == 0 ? 0 : 1, owners().size(), this::toString);
            requireOthersWait(owner.job().id(), "the sole volume was given up");
        }

        /** Until then they take room from all other jobs. */
        private void stoppedOnesEnd(String job) {
            cluster.state().allocationsOfJob(Cluster.jobId(job)).stream()
                    .filter(row -> row.desired() == DesiredStatus.STOP)
                    .filter(row -> !row.status().isTerminal())
                    .forEach(row -> cluster.report(row, ClientStatus.COMPLETE, VolumeProgress.Phase.UNPUBLISHED));
            cluster.schedule();
        }

        /** How many of the blocked ones wait for the volume; the others for a larger node. */
        private int waitForVolume() {
            return blocked / 2;
        }

        /** Who has the sole volume: one, or none. */
        private List<AllocationRow> owners() {
            return Stream.concat(
                            Stream.of("holder"),
                            IntStream.range(0, waitForVolume()).mapToObj(SizedCluster::blocked))
                    .flatMap(job -> running(job).stream())
                    .toList();
        }

        /** All that is to run and does not is blocked, but for a job that was stopped. */
        private void requireOthersWait(String stopped, String when) {
            Set<String> jobs = blockedJobs();
            Set<String> apart = new HashSet<>(Set.of(stopped));
            owners().forEach(row -> apart.add(row.job().id()));
            Stream.concat(Stream.of("holder"), IntStream.range(0, blocked).mapToObj(SizedCluster::blocked))
                    .filter(job -> !apart.contains(job))
                    .forEach(job -> assertTrue(jobs.contains(job), () -> this + ", after " + when + ": lost " + job));
        }

        private static String blocked(int number) {
            return "blocked-" + number;
        }

        /**
         * All that fit run, each of its own index, and what waits has looked since.
         *
         * @param isHelped whether what has changed last may help those that wait
         */
        private void rests(String when, boolean isHelped) {
            long changed = cluster.state().version();
            cluster.schedule();
            String what = this + ", after " + when;
            assertEquals(0, cluster.state().count(TableName.REMAINDERS), what);
            for (EvaluationRow row : cluster.state().evaluations().in(EvaluationStatus.BLOCKED)) {
                // One that is made because something found no place has looked as it was made.
                long looked = Math.max(row.outcome().snapshotVersion(), row.createVersion());
                boolean hasLooked = looked >= changed || !row.waits().blockedOnAny();
                assertTrue(hasLooked || !isHelped, what + ": not looked again: " + row);
            }
            Set<String> jobs = blockedJobs();
            requireOthersWait("", when);
            Set<Integer> indexes = new HashSet<>();
            running("web").forEach(row -> assertTrue(indexes.add(row.identity().index()), what + ": twice " + row));
            boolean isWanted = cluster.state().job(Cluster.jobId("web")).isPresent();
            assertEquals(isWanted ? Math.min(count, FIT * nodes) : 0, indexes.size(), what);
            assertEquals(indexes.size() < count && isWanted, jobs.contains("web"), what);
            assertEquals(1, owners().size(), what);
        }

        private Set<String> blockedJobs() {
            Set<String> jobs = new HashSet<>();
            for (EvaluationRow row : cluster.state().evaluations().in(EvaluationStatus.BLOCKED)) {
                assertTrue(jobs.add(row.job().id()), this + ": twice " + row);
            }
            return jobs;
        }

        private void requireOnEachNode() {
            Set<String> on = new HashSet<>();
            running("each").forEach(row -> assertTrue(on.add(row.nodeId()), "twice " + row));
            assertEquals(nodes, on.size(), this::toString);
        }

        private List<AllocationRow> running(String job) {
            return cluster.state().allocationsOfJob(Cluster.jobId(job)).stream()
                    .filter(row -> !row.isTerminal())
                    .toList();
        }

        private static String node(int number) {
            return "n%05d".formatted(number);
        }

        private void registers(int number, String boot) {
            NodeFacts facts = cluster.facts(node(number), boot, cluster.plugin(node(number)));
            cluster.register(FactsDraft.of(facts)
                    .nodeClass("class-" + number)
                    .total(new Resources(FIT * 100 + 50, FIT * 100 + 50, 0))
                    .done());
        }

        /** What the service and the system job use, unless looking at their claims takes long. */
        private VolumeRequest[] shared() {
            long users = Math.min(count, (long) FIT * nodes) + nodes;
            return nodes * users * users > MOST_CLAIM_LOOKS
                    ? new VolumeRequest[0]
                    : new VolumeRequest[] {Cluster.request(SHARED, Cluster.SHARED, false)};
        }

        private JobSpec web(String command) {
            return Cluster.sized(
                    Cluster.job("web", JobType.SERVICE, count, null, command, shared()), new Resources(100, 100, 0));
        }

        private static JobSpec writer(String id) {
            return Cluster.job(id, JobType.SERVICE, 1, Cluster.request(SOLE, Cluster.WRITER, false));
        }

        private JobSpec waiting(int number) {
            String id = blocked(number);
            return number < waitForVolume()
                    ? Cluster.sized(writer(id), new Resources(1, 1, 0))
                    : Cluster.sized(Cluster.job(id, JobType.SERVICE, 1), new Resources(100, 1_000_000, 0));
        }

        @Override
        public String toString() {
            return nodes + " nodes, " + blocked + " blocked, count " + count;
        }
    }
}
