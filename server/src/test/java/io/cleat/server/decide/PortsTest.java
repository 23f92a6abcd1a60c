package io.cleat.server.decide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.model.AllocatedPort;
import io.cleat.model.ClientStatus;
import io.cleat.model.DesiredStatus;
import io.cleat.model.GroupNetwork;
import io.cleat.model.HostNetwork;
import io.cleat.model.JobSpec;
import io.cleat.model.JobType;
import io.cleat.model.NodeAddress;
import io.cleat.model.NodeNetwork;
import io.cleat.model.PortRange;
import io.cleat.model.PortRequest;
import io.cleat.schedule.Plan;
import io.cleat.state.AllocationRow;
import io.cleat.state.Change;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Ports of nodes. What nodes have and others were given, and what a job wants -> what it gets. */
final class PortsTest {
    private final Cluster cluster = new Cluster();

    @BeforeEach
    void level() {
        cluster.level = Change.PORTS_LEVEL;
    }

    private static NodeAddress address(String network, String address) {
        return new NodeAddress(network, address, 24, "eth0", "", 0, List.of());
    }

    private static NodeNetwork network(int min, int max, NodeAddress... addresses) {
        return new NodeNetwork(
                min,
                max,
                List.of(new PortRange(22, 22), new PortRange(20_001, 20_001)),
                List.of(addresses),
                Map.of("inner", new HostNetwork("10.1.0.0/24", "", List.of())),
                List.of());
    }

    private void node(String id, NodeNetwork network) {
        cluster.register(cluster.facts(id, "boot-1").withNetwork(network));
    }

    private void nodes(String... ids) {
        for (String id : ids) {
            node(id, network(20_000, 20_009, address("default", "10.0.0." + id.charAt(1))));
        }
    }

    private static PortRequest fixed(String label, int value) {
        return new PortRequest(label, value, 0, "default", false);
    }

    private static PortRequest any(String label) {
        return new PortRequest(label, 0, -1, "default", false);
    }

    private static JobSpec job(String id, int count, PortRequest... ports) {
        JobSpec job = Cluster.job(id, JobType.SERVICE, count);
        return job.withGroups(List.of(
                job.groups().getFirst().withNetwork(new GroupNetwork("host", "", null, List.of(ports), Map.of()))));
    }

    private List<AllocationRow> placed(JobSpec job) {
        cluster.run(job);
        return cluster.state().allocationsOfJob(job.id());
    }

    private Map<String, Integer> exhausted() {
        return Objects.requireNonNull(
                        cluster.onlyBlocked().outcome().failedGroups().get("g"))
                .dimensionExhausted();
    }

    private Map<String, Integer> filtered() {
        return Objects.requireNonNull(
                        cluster.onlyBlocked().outcome().failedGroups().get("g"))
                .constraintFiltered();
    }

    @Test
    void aStaticPort_isGivenOncePerNode_andWhoHasItIsSaid() {
        nodes("n1", "n2");
        List<AllocationRow> first = placed(job("web", 2, fixed("http", 8080)));
        assertEquals(
                Set.of("n1", "n2"),
                Set.copyOf(first.stream().map(a -> a.nodeId()).toList()));
        for (AllocationRow row : first) {
            assertEquals(
                    List.of(new AllocatedPort(
                            "http", 8080, 0, "10.0.0." + row.nodeId().charAt(1), false)),
                    row.placed().ports());
        }
        assertEquals(List.of(), placed(job("other", 1, fixed("http", 8080))));
        assertEquals(Map.of("network: reserved port collision http=8080", 2), exhausted());
        AllocationRow holder = first.stream()
                .filter(row -> row.nodeId().equals("n1"))
                .findFirst()
                .orElseThrow();
        assertEquals(
                "port 8080 of 10.0.0.1, which is taken by "
                        + holder.name()
                        + " (allocation "
                        + holder.id()
                        + ") on node name-n1",
                Objects.requireNonNull(cluster.onlyBlocked().waits().blockedBy())
                        .holder());
    }

    @Test
    void itIsFree_onceItsHolderHasEnded_andNotBefore() {
        nodes("n1");
        AllocationRow first = placed(job("web", 1, fixed("http", 8080))).getFirst();
        assertEquals(List.of(), placed(job("other", 1, fixed("http", 8080))));
        cluster.accept(new StopAllocation(first.id(), false, cluster.id()));
        cluster.schedule();
        assertEquals(List.of(), cluster.state().allocationsOfJob(Cluster.jobId("other")));
        cluster.ends(first, ClientStatus.COMPLETE);
        List<AllocationRow> all = cluster.state().allocations().stream()
                .filter(row -> !row.isEnded())
                .toList();
        assertEquals(1, all.size());
        assertEquals(8080, all.getFirst().placed().ports().getFirst().value());
    }

    @Test
    void anUpdate_getsThePortOfWhatItReplaces() {
        nodes("n1");
        AllocationRow first = placed(job("web", 1, fixed("http", 8080))).getFirst();
        List<AllocationRow> both = placed(job("web", 1, fixed("http", 8080), any("admin")));
        AllocationRow second = both.stream()
                .filter(row -> !row.id().equals(first.id()))
                .findFirst()
                .orElseThrow();
        assertEquals(8080, second.placed().ports().getFirst().value());
        assertEquals(2, second.placed().ports().size());
        assertEquals(List.of(), placed(job("other", 1, fixed("http", 8080))));
    }

    @Test
    void dynamicPorts_areOfTheNodesRange_andNobodyElsesNorReserved() {
        nodes("n1");
        Set<Integer> given = new HashSet<>();
        for (AllocationRow row : placed(job("web", 4, any("a"), any("b")))) {
            for (AllocatedPort port : row.placed().ports()) {
                assertTrue(given.add(port.value()), "twice " + port);
                assertTrue(port.value() >= 20_000 && port.value() <= 20_009, port.toString());
                assertEquals(port.value(), port.to(), "-1 is the same port");
            }
        }
        assertFalse(given.contains(20_001), "the operator keeps it");
        assertEquals(8, given.size());
        assertEquals(1, placed(job("last", 1, any("a"))).size());
        assertEquals(List.of(), placed(job("more", 1, any("a"))));
        assertEquals(Map.of("network: dynamic port selection failed", 1), exhausted());
    }

    /** As two servers would, or one that plans side by side. */
    @Test
    void ofTwoPlansMadeAtOnce_oneGetsTheStaticPort_andBothGetOthers() {
        nodes("n1");
        for (String id : List.of("a", "b")) {
            JobSpec job = job(id, 1, fixed("http", 8080), any("x"));
            cluster.accept(new RegisterJob(job, null, null, 0, cluster.id()));
        }
        List<Plan> plans = cluster.due().stream().map(cluster::plan).toList();
        cluster.accept(new CommitPlan(plans.getFirst(), cluster.id()));
        String refused = cluster.refuse(new CommitPlan(plans.getLast(), cluster.id()));
        assertTrue(refused.contains("it would need port 8080 of 10.0.0.1, which is taken by a.g[0]"), refused);
        cluster.schedule();
        assertEquals(1, cluster.state().allocations().size());
        assertEquals(Map.of("network: reserved port collision http=8080", 1), exhausted());
    }

    @Test
    void ofTwoPlansMadeAtOnce_bothGetPortsOfTheirOwn() {
        node("n1", network(20_000, 20_002, address("default", "10.0.0.1")));
        for (String id : List.of("a", "b")) {
            cluster.accept(new RegisterJob(job(id, 1, any("x")), null, null, 0, cluster.id()));
        }
        for (Plan plan : cluster.due().stream().map(cluster::plan).toList()) {
            cluster.accept(new CommitPlan(plan, cluster.id()));
        }
        assertEquals(
                Set.of(20_000, 20_002),
                Set.copyOf(cluster.state().allocations().stream()
                        .map(row -> row.placed().ports().getFirst().value())
                        .toList()));
    }

    @Test
    void aReservedPort_isGivenToNobody() {
        nodes("n1");
        assertEquals(List.of(), placed(job("web", 1, fixed("ssh", 22))));
        assertEquals(Map.of("network: reserved port collision ssh=22", 1), exhausted());
        assertTrue(Objects.requireNonNull(cluster.onlyBlocked().waits().blockedBy())
                .holder()
                .contains("port 22 of 10.0.0.1, which is kept by the operator on node"));
    }

    @Test
    void thoseThatIgnoreCollisions_mayShareAPort_butNotWithAnother() {
        nodes("n1");
        PortRequest shared = new PortRequest("http", 8080, 0, "default", true);
        assertEquals(2, placed(job("web", 2, shared)).size());
        assertEquals(List.of(), placed(job("other", 1, fixed("http", 8080))));
    }

    @Test
    void aPortOfANamedNetwork_isOfItsAddress_andFreeBesideTheUsual() {
        node(
                "n1",
                network(
                        20_000,
                        20_009,
                        address("default", "10.0.0.1"),
                        address("inner", "10.1.0.1"),
                        address("inner", "10.1.0.2"),
                        address("inner", "fd00::1")));
        PortRequest inner = new PortRequest("http", 8080, 80, "inner", false);
        assertEquals(1, placed(job("usual", 1, fixed("http", 8080))).size());
        assertEquals(
                List.of("10.1.0.1", "10.1.0.2"),
                placed(job("web", 3, inner)).stream()
                        .map(row -> row.placed().ports().getFirst().hostIp())
                        .sorted()
                        .toList());
        assertEquals(Map.of("network: reserved port collision http=8080", 1), exhausted());
    }

    @Test
    void aNodeWithoutTheNetwork_isLeftOut_andTakesItOnceItHasIt() {
        nodes("n1");
        PortRequest lan = new PortRequest("http", 8080, 0, "lan", false);
        assertEquals(List.of(), placed(job("web", 1, lan)));
        assertEquals(Map.of("missing host network \"lan\" for port \"http\"", 1), filtered());
        NodeNetwork more = network(20_000, 20_009, address("lan", "10.2.0.1"));
        cluster.accept(new ReportFacts(cluster.facts("n1", "boot-1").withNetwork(more), cluster.id()));
        cluster.schedule();
        assertEquals(1, cluster.state().allocations().size());
    }

    @Test
    void aNodeThatSaysNothingOfNetworks_givesNoPorts() {
        node("n1", NodeNetwork.NONE);
        assertEquals(List.of(), placed(job("web", 1, any("http"))));
        assertEquals(Map.of("missing network", 1), filtered());
    }

    @Test
    void aNetworkThatTheNodeDoesNotMake_isMissing() {
        nodes("n1");
        JobSpec job = Cluster.job("web", JobType.SERVICE, 1);
        GroupNetwork bridge = new GroupNetwork("bridge", "", null, List.of(), Map.of());
        assertEquals(
                List.of(), placed(job.withGroups(List.of(job.groups().getFirst().withNetwork(bridge)))));
        assertEquals(Map.of("missing network", 1), filtered());
    }

    @Test
    void belowTheLevel_aNodesNetworksAreNotKept() {
        cluster.level = Change.PORTS_LEVEL - 1;
        nodes("n1");
        assertEquals(
                NodeNetwork.NONE,
                cluster.state().node("n1").orElseThrow().facts().network());
        NodeNetwork more = network(20_000, 20_009, address("lan", "10.2.0.1"));
        cluster.accept(new ReportFacts(cluster.facts("n1", "boot-1").withNetwork(more), cluster.id()));
        assertEquals(
                NodeNetwork.NONE,
                cluster.state().node("n1").orElseThrow().facts().network());
    }

    /** What is replaced is still there, and does not mind; the one that replaces it does. */
    @Test
    void thoseThatIgnoreCollisions_doNotGetAPortThatAnUpdateKeepsForItself() {
        nodes("n1");
        PortRequest shared = new PortRequest("http", 8080, 0, "default", true);
        assertEquals(1, placed(job("web", 1, shared)).size());
        assertEquals(2, placed(job("web", 1, fixed("http", 8080))).size());
        assertEquals(List.of(), placed(job("other", 1, shared)));
    }

    /** Jobs come, change, stop and fail in any order, on nodes with few ports. */
    @Test
    void whateverHappens_noTwoHaveAPort_andWhatWaitsIsPlacedOnceItCan() {
        for (long seed = 1; seed <= 30; seed++) {
            Random random = new Random(seed);
            Cluster town = new Cluster();
            town.level = Change.PORTS_LEVEL;
            for (String id : List.of("n1", "n2")) {
                NodeAddress own = address("default", "10.0.0." + id.charAt(1));
                town.register(town.facts(id, "boot-1").withNetwork(network(20_000, 20_005, own)));
            }
            for (int step = 0; step < 60; step++) {
                happens(town, random);
                town.schedule();
                assertNoneShared(town, seed + "/" + step);
            }
            for (int job = 0; job < 5; job++) {
                if (town.state().job(Cluster.jobId("j" + job)).isPresent()) {
                    town.stop("j" + job);
                }
            }
            for (AllocationRow row : List.copyOf(town.state().allocations())) {
                if (!row.isEnded()) {
                    town.ends(row, ClientStatus.COMPLETE);
                }
            }
            town.run(job("last", 2, fixed("http", 8080), any("a"), any("b")));
            assertEquals(2, town.state().allocationsOfJob(Cluster.jobId("last")).size(), "seed " + seed);
        }
    }

    private static void happens(Cluster town, Random random) {
        List<AllocationRow> open = town.state().allocations().stream()
                .filter(row -> !row.isEnded())
                .toList();
        int what = random.nextInt(10);
        if (what < 4) {
            List<PortRequest> ports = new ArrayList<>();
            for (int i = 0; i < random.nextInt(3); i++) {
                ports.add(new PortRequest(
                        "s" + i, 8080 + 10 * i + random.nextInt(2), 0, "default", random.nextInt(4) == 0));
            }
            for (int i = 0; i < random.nextInt(3); i++) {
                ports.add(any("d" + i));
            }
            town.run(job("j" + random.nextInt(5), 1 + random.nextInt(3), ports.toArray(PortRequest[]::new)));
        } else if (what < 5) {
            String id = "j" + random.nextInt(5);
            if (town.state().job(Cluster.jobId(id)).isPresent()) {
                town.stop(id);
            }
        } else if (!open.isEmpty()) {
            AllocationRow row = open.get(random.nextInt(open.size()));
            boolean isWanted = row.desired() == DesiredStatus.RUN;
            town.ends(row, isWanted ? ClientStatus.FAILED : ClientStatus.COMPLETE);
        }
    }

    /** But with what is replaced on its node and ends, which the new one waits for there. */
    private static void assertNoneShared(Cluster town, String place) {
        for (AllocationRow one : town.state().allocations()) {
            for (AllocationRow other : town.state().allocations()) {
                boolean isReplaced = one.job().equals(other.job())
                        && (one.desired() == DesiredStatus.STOP || other.desired() == DesiredStatus.STOP);
                if (one.id().equals(other.id()) || one.isEnded() || other.isEnded() || isReplaced) {
                    continue;
                }
                for (AllocatedPort port : one.placed().ports()) {
                    assertTrue(
                            other.placed().ports().stream().noneMatch(port::collidesWith),
                            () -> place + ": " + one + "\n" + other);
                }
            }
        }
    }

    @Test
    void rangesWithoutSense_giveNothing() {
        for (int[] range : new int[][] {{0, 0}, {9, 8}, {-5, -1}, {70_000, 80_000}}) {
            String id = "n" + Arrays.hashCode(range);
            node(id, network(range[0], range[1], address("default", "10.0.0.1")));
        }
        assertEquals(List.of(), placed(job("web", 1, any("http"))));
    }
}
