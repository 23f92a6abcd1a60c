package io.cleat.server.decide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.cleat.model.Affinity;
import io.cleat.model.Constraint;
import io.cleat.model.GroupNetwork;
import io.cleat.model.JobSpec;
import io.cleat.model.JobType;
import io.cleat.model.NodeAddress;
import io.cleat.model.NodeNetwork;
import io.cleat.model.PortRequest;
import io.cleat.model.Resources;
import io.cleat.model.Spread;
import io.cleat.model.TaskGroup;
import io.cleat.schedule.Plan;
import io.cleat.schedule.Scheduler;
import io.cleat.server.FactsDraft;
import io.cleat.state.Change;
import io.cleat.state.EvaluationRow;
import io.cleat.state.EvaluationStatus;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * A plan that places several of a group looks at all nodes once, and then at those alone that it has changed. What it
 * chooses, and what it says of the choice, is as if it had looked at all for each.
 */
final class OneByOneTest {
    private static final int SEEDS = 150;

    @Test
    void severalInOnePlan_areWhereEachWouldBeByAPlanOfItsOwn() {
        for (int seed = 0; seed < SEEDS; seed++) {
            Cluster together = new Cluster();
            Cluster oneByOne = new Cluster();
            oneByOne.planOneByOne();
            assertEquals(placed(oneByOne, seed), placed(together, seed), "seed " + seed);
        }
    }

    /** Each allocation with its node and all that was seen, and what has found no place. */
    private static List<String> placed(Cluster cluster, int seed) {
        Random random = new Random(seed);
        cluster.level = Change.LAUNCH_LEVEL;
        int nodes = 2 + random.nextInt(7);
        for (int node = 0; node < nodes; node++) {
            register(cluster, "n" + node, random);
        }
        int jobs = 1 + random.nextInt(3);
        for (int job = 0; job < jobs; job++) {
            cluster.run(job("job" + job, random));
        }
        List<String> all = new ArrayList<>();
        cluster.state().allocations().stream()
                .map(row ->
                        row.name() + " on " + row.nodeId() + " " + row.placed().metric())
                .sorted()
                .forEach(all::add);
        cluster.state().evaluations().all().stream()
                .filter(row -> !row.outcome().failedGroups().isEmpty())
                .map(row -> row.job() + " " + row.outcome().queued())
                .distinct()
                .sorted()
                .forEach(all::add);
        return all;
    }

    private static void register(Cluster cluster, String id, Random random) {
        Resources total = new Resources(100L * random.nextInt(12), 100L * random.nextInt(12), 0);
        NodeAddress address = new NodeAddress("default", "10.0.0.1", 24, "eth0", "", 0, List.of());
        cluster.register(FactsDraft.of(cluster.facts(id, "boot-1"))
                .nodeClass(random.nextBoolean() ? "big" : "small")
                .datacenter(random.nextBoolean() ? "east" : "west")
                .total(total)
                .done()
                .withNetwork(new NodeNetwork(20_000, 20_002, List.of(), List.of(address), Map.of(), List.of())));
    }

    private static JobSpec job(String id, Random random) {
        JobSpec job = Cluster.job(id, JobType.SERVICE, 1 + random.nextInt(12));
        List<Constraint> constraints = new ArrayList<>();
        if (random.nextInt(4) == 0) {
            constraints.add(new Constraint("", "distinct_hosts", "true"));
        }
        if (random.nextInt(4) == 0) {
            constraints.add(new Constraint("${node.datacenter}", "distinct_property", "4"));
        }
        List<Affinity> affinities = random.nextBoolean()
                ? List.of(new Affinity(new Constraint("${node.class}", "=", "big"), 50))
                : List.of();
        List<Spread> spreads =
                random.nextInt(4) == 0 ? List.of(new Spread("${node.datacenter}", 100, List.of())) : List.of();
        TaskGroup group = job.groups().getFirst().constrained(constraints).preferring(affinities, spreads);
        List<PortRequest> ports = switch (random.nextInt(3)) {
            case 0 -> List.of(new PortRequest("fixed", 25_000, 0, "default", false));
            case 1 -> List.of(new PortRequest("any", 0, -1, "default", false));
            default -> List.of();
        };
        return job.withGroups(List.of(group.withNetwork(new GroupNetwork("host", "", null, ports, Map.of()))));
    }

    /** It looked at all nodes for each allocation: 2 us each, so 20 ms of every allocation at 10,000 nodes. */
    @Test
    void oneMoreInAPlan_costsTheSameWhateverTheNumberOfNodes() {
        long besideFew = bytesOfMore(100);
        long besideMany = bytesOfMore(1_000);
        assertTrue(
                besideMany < 1.5 * besideFew,
                besideMany + " bytes for 39 more beside 1,000 nodes, " + besideFew + " beside 100");
    }

    private static long bytesOfMore(int nodes) {
        return bytesOfPlacing(40, nodes) - bytesOfPlacing(1, nodes);
    }

    /** What a plan takes of the heap, which is as much as its work, and the same at each run. */
    private static long bytesOfPlacing(int count, int nodes) {
        Cluster cluster = new Cluster();
        cluster.level = Change.LAUNCH_LEVEL;
        for (int node = 0; node < nodes; node++) {
            cluster.register(cluster.facts("n" + node, "boot-1"));
        }
        cluster.accept(new RegisterJob(Cluster.job("web", JobType.SERVICE, count), null, null, 0, cluster.id()));
        EvaluationRow evaluation = cluster.state().evaluations().all().stream()
                .filter(row -> row.status() == EvaluationStatus.PENDING)
                .findFirst()
                .orElseThrow();
        Scheduler scheduler = new Scheduler(cluster.state(), cluster::id, cluster.now());
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        Plan plan = scheduler.plan(evaluation);
        long bytes = threads.getCurrentThreadAllocatedBytes() - before;
        assertEquals(count, plan.placements().size());
        return bytes;
    }
}
