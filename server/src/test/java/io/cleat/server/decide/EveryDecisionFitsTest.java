package io.cleat.server.decide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.model.ClientStatus;
import io.cleat.model.JobType;
import io.cleat.state.AllocationRow;
import io.cleat.state.ClaimRow;
import io.cleat.state.EvaluationStatus;
import io.cleat.state.NodeStatus;
import io.cleat.state.PlacementMetric;
import io.cleat.state.TableName;
import io.cleat.state.VolumeProgress;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * Decisions that once grew with the cluster until they could not be logged, each at the size at which it was met.
 * {@link Cluster} fails whatever is larger than a decision may be.
 */
final class EveryDecisionFitsTest {
    private final Cluster cluster = new Cluster();

    private void nodes(int count) {
        for (int i = 0; i < count; i++) {
            cluster.node("n%05d".formatted(i));
        }
    }

    /** Jobs that find no room on the only node, which twenty allocations fill. */
    private void blocked(int count) {
        for (int i = 0; i < 20 + count; i++) {
            cluster.run(Cluster.job("j%05d".formatted(i), JobType.SERVICE, 1));
        }
        assertEquals(
                count,
                cluster.state().evaluations().in(EvaluationStatus.BLOCKED).size());
    }

    /** Only one node, which takes nothing new, has the volume's plugin. */
    private void lackingThePlugin(int count) {
        cluster.node("with");
        cluster.volume("v", Cluster.WRITER);
        cluster.accept(new SetEligibility("with", false, cluster.id()));
        for (int i = 0; i < count; i++) {
            cluster.register(cluster.facts("n%05d".formatted(i), "boot-1"));
        }
    }

    private long live(String job) {
        return cluster.state().allocationsOfJob(Cluster.jobId(job)).stream()
                .filter(row -> !row.isTerminal())
                .count();
    }

    /** It made 1,079,198 bytes, and was refused once a second for ever. */
    @Test
    void aServiceOfCount100On100Nodes() {
        nodes(100);
        cluster.run(Cluster.job("web", JobType.SERVICE, 100));
        assertEquals(100, live("web"));
        assertEquals(
                1, cluster.state().evaluations().ofJob(Cluster.jobId("web")).size());
    }

    /** It made 423,735 bytes. */
    @Test
    void aFailedPlacementOn1000NodesThatLackThePlugin() {
        lackingThePlugin(1000);
        cluster.run(Cluster.job("web", JobType.SERVICE, 1, Cluster.request("v", Cluster.WRITER, false)));
        PlacementMetric metric = Objects.requireNonNull(
                cluster.onlyBlocked().outcome().failedGroups().get("g"));
        assertEquals(1000, metric.nodesFiltered());
        assertEquals(Map.of("CSI plugin local is missing from client", 1000), metric.constraintFiltered());
    }

    /** It could not even become blocked. */
    @Test
    void aFailedPlacementOn5000NodesThatLackThePlugin() {
        lackingThePlugin(5000);
        cluster.run(Cluster.job("web", JobType.SERVICE, 1, Cluster.request("v", Cluster.WRITER, false)));
        assertTrue(cluster.onlyBlocked().waits().blockedOnAny());
    }

    /** It made 1,398,486 bytes; the plugins of nodes are such jobs. */
    @Test
    void aSystemJobOn1500Nodes() {
        nodes(1500);
        cluster.run(Cluster.job("plugin", JobType.SYSTEM, 1));
        assertEquals(1500, live("plugin"));
    }

    /** It made 1,672,516 bytes: no node could join, and none that was down could return. */
    @Test
    void aNodeRegistersBeside1200BlockedEvaluations() {
        cluster.node("n1");
        blocked(1200);
        cluster.node("n2");
        assertEquals(NodeStatus.READY, cluster.state().node("n2").orElseThrow().status());
        cluster.schedule();
        assertEquals(
                1180, cluster.state().evaluations().in(EvaluationStatus.BLOCKED).size());
    }

    /** It made 1,114,637 bytes: the report was repeated for ever, and its claims never freed. */
    @Test
    void anAllocationEndsBeside800BlockedEvaluations() {
        cluster.node("n1");
        cluster.volume("v", Cluster.WRITER);
        cluster.writer("writer", "v");
        cluster.runs("writer");
        for (int i = 0; i < 819; i++) {
            cluster.run(Cluster.job("j%05d".formatted(i), JobType.SERVICE, 1));
        }
        assertEquals(
                800, cluster.state().evaluations().in(EvaluationStatus.BLOCKED).size());
        cluster.stop("writer");
        AllocationRow writer = cluster.allocation("writer");
        cluster.report(writer, ClientStatus.COMPLETE, VolumeProgress.Phase.UNPUBLISHED);
        assertEquals(List.<ClaimRow>of(), cluster.claims("v"));
        cluster.schedule();
        assertEquals(
                799, cluster.state().evaluations().in(EvaluationStatus.BLOCKED).size());
        assertEquals(821, cluster.state().count(TableName.ALLOCATIONS) + 800);
    }
}
