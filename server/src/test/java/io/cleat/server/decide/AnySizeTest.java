package io.cleat.server.decide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.model.JobSpec;
import io.cleat.model.JobType;
import io.cleat.model.NodeFacts;
import io.cleat.model.Resources;
import io.cleat.state.AllocationRow;
import io.cleat.state.EvaluationRow;
import io.cleat.state.EvaluationStatus;
import io.cleat.state.TableName;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Whatever the size of the cluster: each decision is below 256 KiB, which {@link Cluster} holds it
 * to; what has to wait is looked at again after each change that may help; and no row is lost.
 *
 * <p>{@code -Dcleat.sizes=N} draws N further sizes of up to 10,000 nodes, 5,000 blocked evaluations
 * and counts of 10,000; they take minutes each.
 */
final class AnySizeTest {
    private static final int MOST_NODES = 10_000;
    private static final int MOST_BLOCKED = 5_000;
    private static final int MOST_WANTED = 10_000;

    @Test
    void oneNode() {
        new Town(1, 0, 1).passes();
    }

    @Test
    void tenThousandNodes() {
        new Town(MOST_NODES, 0, 3).passes();
    }

    @Test
    void aThousandAndAHalfBlockedEvaluations() {
        new Town(1, 1500, 5).passes();
    }

    @Test
    void aCountOfTenThousand_ofWhichAFewFit() {
        new Town(3, 1, MOST_WANTED).passes();
    }

    @Test
    void aCountOfAThousandThatFits() {
        new Town(40, 7, 1000).passes();
    }

    @Test
    void manyOfEach() {
        new Town(300, 600, 300).passes();
    }

    @Test
    void anySize() {
        Random random = new Random(1);
        for (int i = 0; i < Integer.getInteger("cleat.sizes", 0); i++) {
            new Town(
                            upTo(random, MOST_NODES),
                            upTo(random, MOST_BLOCKED),
                            upTo(random, MOST_WANTED))
                    .passes();
        }
    }

    /** As often between 1 and 10 as between 10 and 100. */
    private static int upTo(Random random, int most) {
        return (int) Math.exp(random.nextDouble() * Math.log(most));
    }

    /** One cluster and its life. */
    private static final class Town {
        /** Allocations that fit on one node. */
        private static final int FIT = 50;

        private final Cluster cluster = new Cluster();
        private final int nodes;
        private final int blocked;
        private final int count;

        Town(int nodes, int blocked, int count) {
            this.nodes = nodes;
            this.blocked = blocked;
            this.count = count;
        }

        void passes() {
            for (int i = 0; i < blocked; i++) {
                cluster.run(job("blocked-" + i, 1, "/bin/true", 1_000_000));
            }
            for (int i = 0; i < nodes; i++) {
                registers(i, "boot-1");
                if (i == nodes / 2) {
                    cluster.restart();
                }
            }
            rests("the nodes came", true);
            cluster.run(job("web", count, "/bin/a", 100));
            rests("the job was registered", false);
            cluster.accept(new NodeUnheard(node(0), "heartbeat missed", cluster.id()));
            cluster.schedule();
            registers(0, "boot-2");
            rests("a node went and returned", true);
            cluster.run(job("web", count, "/bin/b", 100));
            rests("its text was changed", false);
            for (AllocationRow row : running()) {
                assertEquals(
                        cluster.state().job(row.job()).orElseThrow().current(), row.jobVersion());
            }
            cluster.stop("web");
            assertEquals(List.of(), running(), this::toString);
            assertEquals(0, cluster.state().count(TableName.REMAINDERS), this::toString);
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
            List<EvaluationRow> waiting = cluster.state().evaluations(EvaluationStatus.BLOCKED);
            for (EvaluationRow row : waiting) {
                boolean hasLooked = row.snapshotVersion() >= changed;
                assertTrue(hasLooked || !isHelped, what + ": not looked again: " + row);
            }
            Set<String> jobs = new HashSet<>();
            waiting.forEach(row -> assertTrue(jobs.add(row.job().id()), what + ": twice " + row));
            for (int i = 0; i < blocked; i++) {
                assertTrue(jobs.contains("blocked-" + i), what + ": lost blocked-" + i);
            }
            Set<Integer> indexes = new HashSet<>();
            running().forEach(row -> assertTrue(indexes.add(row.index()), what + ": twice " + row));
            boolean isWanted = cluster.state().job(Cluster.jobId("web")).isPresent();
            assertEquals(isWanted ? Math.min(count, FIT * nodes) : 0, indexes.size(), what);
            assertEquals(indexes.size() < count && isWanted, jobs.contains("web"), what);
        }

        private List<AllocationRow> running() {
            return cluster.state().allocationsOfJob(Cluster.jobId("web")).stream()
                    .filter(row -> !row.isTerminal())
                    .toList();
        }

        private static String node(int number) {
            return "n%05d".formatted(number);
        }

        private void registers(int number, String boot) {
            NodeFacts facts = cluster.facts(node(number), boot);
            cluster.register(
                    new NodeFacts(
                            facts.id(),
                            facts.name(),
                            facts.datacenter(),
                            facts.nodePool(),
                            "class-" + number,
                            facts.httpAddress(),
                            facts.attributes(),
                            facts.meta(),
                            facts.drivers(),
                            facts.plugins(),
                            new Resources(FIT * 100, FIT * 100, 0),
                            facts.diskMb(),
                            facts.bootId(),
                            facts.unclear()));
        }

        private static JobSpec job(String id, int count, String command, int mb) {
            return Cluster.sized(
                    Cluster.job(id, JobType.SERVICE, count, null, command),
                    new Resources(100, mb, 0));
        }

        @Override
        public String toString() {
            return nodes + " nodes, " + blocked + " blocked, count " + count;
        }
    }
}
