package io.cleat.server.decide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.model.JobId;
import io.cleat.model.JobType;
import io.cleat.state.EvaluationRow;
import io.cleat.state.EvaluationStatus;
import io.cleat.state.NodeRow;
import io.cleat.state.Trigger;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Evaluating the jobs of a node on request. Situation -> answer. */
final class EvaluateNodeTest {
    private final Cluster cluster = new Cluster();

    private EvaluateNode command(String node) {
        return new EvaluateNode(node, null, cluster.id());
    }

    private List<String> jobsOf(List<String> evalIds) {
        return evalIds.stream()
                .map(id -> cluster.state()
                        .evaluations()
                        .get(id)
                        .orElseThrow()
                        .job()
                        .id())
                .toList();
    }

    @Test
    void noSuchNode_refused() {
        assertEquals("node not found", cluster.refuse(command("none")));
    }

    @Test
    void aNodeWithoutJobs_noEvaluation() {
        cluster.node("n1");
        long version = cluster.state().version();
        EvaluateNode.Reply reply = cluster.accept(command("n1"));
        assertEquals(List.of(), reply.evalIds());
        assertNull(reply.last());
        assertEquals(version, cluster.state().version());
    }

    @Test
    void jobsWithAllocationsThere_andSystemJobs_areEvaluatedOnceEach() {
        cluster.node("n1");
        cluster.run(Cluster.job("a", JobType.SERVICE, 3));
        cluster.node("n2");
        cluster.run(Cluster.job("s", JobType.SYSTEM, 1));
        NodeRow node = cluster.state().node("n1").orElseThrow();
        EvaluateNode.Reply reply = cluster.accept(command("n1"));
        assertEquals(List.of("a", "s"), jobsOf(reply.evalIds()));
        assertEquals(node.modifyVersion(), reply.nodeVersion());
        for (String id : reply.evalIds()) {
            EvaluationRow row = cluster.state().evaluations().get(id).orElseThrow();
            assertEquals(EvaluationStatus.PENDING, row.status());
            assertEquals(Trigger.NODE_UPDATE, row.asked().triggeredBy());
            assertEquals("n1", row.asked().nodeId());
        }
        assertEquals(List.of("s"), jobsOf(cluster.accept(command("n2")).evalIds()));
    }

    @Test
    void oneThatIsDue_serves() {
        cluster.node("n1");
        cluster.run(Cluster.job("a", JobType.SERVICE, 1));
        List<String> first = cluster.accept(command("n1")).evalIds();
        assertEquals(first, cluster.accept(command("n1")).evalIds());
    }

    @Test
    void moreThanFits_goesOnAfterTheLastJob() {
        cluster.node("n1");
        for (int i = 0; i < 5; i++) {
            cluster.run(Cluster.job("j" + i, JobType.SERVICE, 1));
        }
        cluster.inSmallParts();
        List<String> evalIds = new ArrayList<>();
        JobId after = null;
        int parts = 0;
        do {
            EvaluateNode.Reply reply = cluster.accept(new EvaluateNode("n1", after, cluster.id()));
            evalIds.addAll(reply.evalIds());
            after = reply.last();
            parts++;
        } while (after != null);
        assertEquals(List.of("j0", "j1", "j2", "j3", "j4"), jobsOf(evalIds));
        assertTrue(parts > 1, "in one part");
    }
}
