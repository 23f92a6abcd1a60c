package io.cleat.server.decide;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.cleat.model.ClientStatus;
import io.cleat.model.DesiredStatus;
import io.cleat.model.JobSpec;
import io.cleat.model.JobType;
import io.cleat.model.VolumeModes;
import io.cleat.model.VolumeRequest;
import io.cleat.schedule.Plan;
import io.cleat.state.AllocationRow;
import io.cleat.state.ClaimRow;
import io.cleat.state.ClaimState;
import io.cleat.state.TableName;
import io.cleat.state.VolumeProgress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Whatever the order in which jobs come and go, nodes come, go, boot and report, operators abandon and garbage is
 * collected: what must stay true stays true. The seed is in the message of a failure.
 */
final class DecideProperties {
    private static final List<String> NODES = List.of("n1", "n2", "n3");
    private static final List<String> VOLUMES = List.of("v", "w", "s");
    private static final List<String> JOBS = List.of("a", "b", "c", "d");

    @Test
    void anyInterleavingKeepsTheInvariants() {
        for (long seed = 1; seed <= Long.getLong("cleat.seeds", 40); seed++) {
            new Run(seed).run();
        }
    }

    /** What is true after whole decisions is true after each part of them. */
    @Test
    void anyInterleavingOfPartsKeepsTheInvariants() {
        for (long seed = 1; seed <= Long.getLong("cleat.seeds", 40); seed++) {
            Run run = new Run(seed);
            run.cluster.inSmallParts();
            run.run();
        }
    }

    /** One seed. */
    private static final class Run {
        private final long seed;
        private final Random random;
        private final Cluster cluster = new Cluster();
        private final List<Plan> plans = new ArrayList<>();
        private final Map<String, Integer> boots = new TreeMap<>();

        Run(long seed) {
            this.seed = seed;
            this.random = new Random(seed);
        }

        void run() {
            NODES.forEach(this::comesUp);
            cluster.volume("v", Cluster.WRITER);
            cluster.volume("w", Cluster.WRITER);
            cluster.volume("s", Cluster.SHARED);
            for (int step = 0; step < 120; step++) {
                step();
                Invariants.check(cluster, "seed " + seed + ", step " + step);
            }
            settle();
        }

        private void step() {
            switch (random.nextInt(20)) {
                case 0, 1, 2 -> cluster.accept(new RegisterJob(job(), null, null, 0, cluster.id()));
                case 3 ->
                    cluster.accept(new DeregisterJob(
                            Cluster.jobId(pick(JOBS)), random.nextInt(4) == 0, false, false, 0, cluster.id()));
                case 4 -> cluster.schedule();
                case 5 ->
                    any(cluster.state().remainders())
                            .ifPresent(row -> cluster.accept(new ContinueRemainder(row.id(), cluster.id())));
                case 16, 17 -> any(cluster.due()).ifPresent(row -> plans.add(cluster.plan(row)));
                case 18, 19 -> any(plans).ifPresent(plan -> cluster.decide(new CommitPlan(plan, cluster.id())));
                case 6, 7, 8, 9 -> someReport();
                case 10 -> {
                    if (random.nextBoolean()) {
                        comesUp(pick(NODES));
                    } else {
                        cluster.restart();
                    }
                }
                case 11 -> cluster.accept(new NodeUnheard(pick(NODES), "heartbeat missed", cluster.id()));
                case 12 -> {
                    String node = pick(NODES);
                    boots.merge(node, 1, Integer::sum);
                    comesUp(node);
                }
                case 13 -> {
                    cluster.pass(Duration.ofHours(random.nextInt(30)));
                    cluster.accept(random.nextBoolean() ? CollectGarbage.NOW : CollectGarbage.REGULARLY);
                }
                case 14 -> cluster.decide(new DetachVolume(Cluster.volumeId(pick(VOLUMES)), pick(NODES), true, "me"));
                default ->
                    any(cluster.state().allocations())
                            .ifPresent(row -> cluster.accept(new StopAllocation(row.id(), false, cluster.id())));
            }
        }

        private JobSpec job() {
            List<VolumeRequest> requests = new ArrayList<>();
            for (String volume : VOLUMES) {
                if (random.nextBoolean()) {
                    VolumeModes modes = volume.equals("s") ? Cluster.SHARED : Cluster.WRITER;
                    requests.add(Cluster.request(volume, modes, random.nextInt(5) == 0));
                }
            }
            return Cluster.job(
                    pick(JOBS),
                    random.nextInt(4) == 0 ? JobType.BATCH : JobType.SERVICE,
                    1 + random.nextInt(2),
                    null,
                    "/bin/" + random.nextInt(3),
                    requests.toArray(VolumeRequest[]::new));
        }

        private void comesUp(String node) {
            String boot = "boot-" + boots.getOrDefault(node, 0);
            cluster.register(cluster.facts(node, boot, cluster.plugin(node)));
        }

        /** A node says something that may be true: it goes on, never back. */
        private void someReport() {
            any(cluster.state().allocations()).ifPresent(this::report);
        }

        private void report(AllocationRow row) {
            boolean isWanted = row.desired() == DesiredStatus.RUN && !row.isEnded();
            List<ClaimRow> claims = cluster.state().claims().ofAllocation(row.id());
            boolean granted = claims.stream().allMatch(c -> c.state() == ClaimState.GRANTED);
            if (isWanted && !granted) {
                return;
            }
            if (isWanted && random.nextInt(3) > 0) {
                cluster.report(row, ClientStatus.RUNNING, VolumeProgress.Phase.PUBLISHED);
            } else {
                ClientStatus end = random.nextBoolean() ? ClientStatus.COMPLETE : ClientStatus.FAILED;
                cluster.report(
                        row,
                        end,
                        random.nextBoolean() ? VolumeProgress.Phase.UNMOUNTING : VolumeProgress.Phase.UNPUBLISHED);
            }
        }

        /** Once all is stopped and every node has said its last word, nothing is left. */
        private void settle() {
            JOBS.forEach(
                    job -> cluster.accept(new DeregisterJob(Cluster.jobId(job), false, false, false, 0, cluster.id())));
            NODES.forEach(this::comesUp);
            cluster.schedule();
            for (AllocationRow row : List.copyOf(cluster.state().allocations())) {
                cluster.report(row, ClientStatus.COMPLETE, VolumeProgress.Phase.UNPUBLISHED);
            }
            cluster.schedule();
            assertEquals(0, cluster.state().count(TableName.REMAINDERS), "seed " + seed);
            Invariants.check(cluster, "seed " + seed + ", settled");
            assertEquals(List.of(), List.copyOf(cluster.state().claims().all()), "seed " + seed);
            cluster.pass(Duration.ofDays(2));
            while (cluster.accept(CollectGarbage.REGULARLY).more()) {
                cluster.pass(Duration.ofSeconds(1));
            }
            for (TableName table : List.of(
                    TableName.ALLOCATIONS,
                    TableName.JOBS,
                    TableName.JOB_VERSIONS,
                    TableName.EVALUATIONS,
                    TableName.OPERATIONS,
                    TableName.VOLUME_TOMBSTONES,
                    TableName.NODE_TOMBSTONES)) {
                assertEquals(0, cluster.state().count(table), "seed " + seed + ", " + table);
            }
        }

        private <T> Optional<T> any(Collection<T> from) {
            return from.isEmpty() ? Optional.empty() : Optional.of(pick(List.copyOf(from)));
        }

        private <T> T pick(List<T> from) {
            return from.get(random.nextInt(from.size()));
        }
    }
}
