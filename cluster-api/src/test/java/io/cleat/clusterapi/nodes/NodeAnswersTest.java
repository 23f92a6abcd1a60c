package io.cleat.clusterapi.nodes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.api.DrainStrategy;
import io.cleat.api.Node;
import io.cleat.api.NodeDrainProgress;
import io.cleat.clusterapi.Intake;
import io.cleat.clusterapi.SampleCluster;
import io.cleat.clusterapi.ServerCluster;
import io.cleat.http.ReadQuery;
import io.cleat.http.WriteQuery;
import io.cleat.state.Change;
import io.cleat.state.EvaluationRow;
import io.cleat.state.EvaluationStatus;
import io.cleat.state.NodeDrain;
import io.cleat.state.NodeRow;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What operators do about nodes. */
final class NodeAnswersTest {
    private static final ReadQuery NOW = ReadQuery.now("default");

    private static final WriteQuery WRITE = new WriteQuery("default", "r-1");

    @Test
    void evaluatingANode_saysTheEvaluationsAndTheirVersion() throws Exception {
        SampleCluster sample = SampleCluster.whole();
        try (Intake intake = Intake.over(sample.state())) {
            var answer = intake.cluster().nodes().evaluate(WRITE, SampleCluster.NODE);
            List<String> made = intake.state().evaluations().all().stream()
                    .filter(row -> row.status() == EvaluationStatus.PENDING)
                    .map(EvaluationRow::id)
                    .toList();
            assertEquals(2, made.size(), "of the service, and of the system job");
            long node = intake.state().node(SampleCluster.NODE).orElseThrow().modifyVersion();
            assertEquals(
                    Set.copyOf(made),
                    Set.copyOf(Objects.requireNonNull(answer.body().EvalIDs())));
            assertEquals(intake.state().version(), answer.meta().index());
            assertEquals(node, answer.body().NodeModifyIndex());
        }
    }

    @Test
    void aDrainSaysWhatItWaitsForAndLeavesNoTraceOfForce() throws Exception {
        NodeRow node = SampleCluster.nodeRow(SampleCluster.NODE, List.of());
        NodeDrain drain = new NodeDrain(
                NodeDrain.Status.DRAINING,
                Duration.ofSeconds(-1),
                false,
                SampleCluster.AT,
                SampleCluster.AT,
                null,
                Map.of());
        ServerCluster cluster = SampleCluster.whole()
                .apply(new Change.NodePut(node.withDrain(drain, false)))
                .cluster();
        Node shown = cluster.nodes().get(NOW, SampleCluster.NODE).body().orElseThrow();
        assertTrue(shown.Drain());
        assertEquals("ineligible", shown.SchedulingEligibility());
        assertEquals(new DrainStrategy(-1_000_000_000, null, false, SampleCluster.AT), shown.DrainStrategy());
        NodeDrainProgress progress =
                cluster.nodes().drainProgress(NOW, SampleCluster.NODE).body().orElseThrow();
        assertEquals("tasks", progress.Phase());
        assertTrue(
                progress.Left().getFirst().Object().startsWith("allocation " + SampleCluster.WEB_ALLOC),
                progress.toString());
        assertEquals("draining", Objects.requireNonNull(shown.LastDrain()).Status());
    }
}
