package io.cleat.server.decide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.model.ClientStatus;
import io.cleat.model.JobType;
import io.cleat.state.AllocationRow;
import io.cleat.state.ClaimState;
import io.cleat.state.NodeRow;
import io.cleat.state.NodeStatus;
import io.cleat.state.TableName;
import io.cleat.state.VolumeProgress;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Nodes, and what garbage collection leaves of them and of others. Situation -> answer. */
final class NodesTest {
    private final Cluster cluster = new Cluster();

    private NodeRow node(String id) {
        return cluster.state().node(id).orElseThrow();
    }

    @Test
    void aNewNode_isReadyAndSeenByEachSystemJob() {
        cluster.run(Cluster.job("s", JobType.SYSTEM, 1));
        cluster.node("n1");
        assertEquals(NodeStatus.READY, node("n1").status());
        assertEquals("Node registered", node("n1").events().getLast().message());
        cluster.schedule();
        assertEquals("n1", cluster.allocation("s").nodeId());
    }

    @Test
    void anotherSecret_isRefused() {
        cluster.node("n1");
        String words = cluster.refuse(new RegisterNode(cluster.facts("n1", "boot-1"), "other", false, cluster.id()));
        assertTrue(words.startsWith("node secret ID does not match"), words);
        assertTrue(!words.contains("secret-n1"), words);
    }

    @Test
    void theSameRegistrationAgain_changesNothing() {
        cluster.node("n1");
        long version = cluster.state().version();
        cluster.node("n1");
        assertEquals(version, cluster.state().version());
    }

    @Test
    void factsOfAnUnknownNode_areRefused() {
        cluster.refuse(new ReportFacts(cluster.facts("n1", "b"), cluster.id()));
    }

    @Test
    void aPluginThatAppears_wakesWhatMissedIt() {
        cluster.node("n1");
        cluster.volume("v", Cluster.WRITER);
        cluster.accept(new ReportFacts(cluster.facts("n1", "boot-1"), cluster.id()));
        cluster.writer("a", "v");
        assertEquals(
                "CSI plugin local is missing from client n1",
                Objects.requireNonNull(
                                cluster.onlyBlocked().outcome().failedGroups().get("g"))
                        .constraintFiltered()
                        .keySet()
                        .iterator()
                        .next());
        cluster.accept(new ReportFacts(cluster.facts("n1", "boot-1", cluster.plugin("n1")), cluster.id()));
        cluster.schedule();
        assertEquals(ClaimState.GRANTED, cluster.claim("v", "a").state());
    }

    @Test
    void aNodeNotHeardTwice_isDownOnce() {
        cluster.node("n1");
        cluster.accept(new NodeUnheard("n1", "heartbeat missed", cluster.id()));
        long version = cluster.state().version();
        cluster.accept(new NodeUnheard("n1", "heartbeat missed", cluster.id()));
        assertEquals(version, cluster.state().version());
        assertEquals(NodeStatus.DOWN, node("n1").status());
    }

    @Test
    void aNodeThatIsDownForADay_isCollected() {
        cluster.node("n1");
        cluster.accept(new NodeUnheard("n1", "x", cluster.id()));
        cluster.pass(Duration.ofHours(23));
        cluster.accept(CollectGarbage.REGULARLY);
        assertTrue(cluster.state().node("n1").isPresent());
        cluster.pass(Duration.ofHours(2));
        cluster.accept(CollectGarbage.REGULARLY);
        assertTrue(cluster.state().node("n1").isEmpty());
        assertTrue(cluster.state().nodeTombstone("n1").isEmpty());
    }

    @Test
    void aNodeThatHolds_isBuriedAndKeepsItsSecret() {
        cluster.node("n1");
        cluster.volume("v", Cluster.WRITER);
        cluster.writer("a", "v");
        cluster.runs("a");
        cluster.down("n1");
        cluster.accept(CollectGarbage.NOW);
        assertTrue(cluster.state().node("n1").isEmpty());
        assertTrue(cluster.state().nodeTombstone("n1").isPresent());
        cluster.refuse(new RegisterNode(cluster.facts("n1", "boot-2"), "other", false, cluster.id()));
        cluster.node("n1");
        assertTrue(cluster.state().nodeTombstone("n1").isEmpty());
        assertEquals(ClaimState.RELEASING, cluster.claim("v", "a").state(), "the same boot");
    }

    @Test
    void anEndedAllocationWithAClaim_isNotCollected() {
        cluster.node("n1");
        cluster.volume("v", Cluster.WRITER);
        cluster.writer("a", "v");
        cluster.runs("a");
        cluster.stop("a");
        AllocationRow row = cluster.allocation("a");
        cluster.report(row, ClientStatus.COMPLETE, VolumeProgress.Phase.UNMOUNTING);
        cluster.pass(Duration.ofDays(9));
        cluster.accept(CollectGarbage.NOW);
        assertTrue(cluster.state().allocation(row.id()).isPresent());
        cluster.report(row, ClientStatus.COMPLETE, VolumeProgress.Phase.UNPUBLISHED);
        cluster.accept(CollectGarbage.NOW);
        assertTrue(cluster.state().allocation(row.id()).isEmpty());
        assertTrue(cluster.state().job(Cluster.jobId("a")).isEmpty());
    }

    @Test
    void aRunningJob_isNotCollected() {
        cluster.node("n1");
        cluster.run(Cluster.job("a", JobType.SERVICE, 1));
        cluster.pass(Duration.ofDays(9));
        cluster.accept(CollectGarbage.NOW);
        assertEquals(1, cluster.state().allocationsOfJob(Cluster.jobId("a")).size());
    }

    @Test
    void manyRows_goInSeveralRounds() {
        for (int i = 0; i < CollectGarbage.MOST + 10; i++) {
            cluster.accept(new RegisterJob(Cluster.job("j" + i, JobType.SERVICE, 0), null, null, 0, cluster.id()));
            cluster.stop("j" + i);
        }
        CollectGarbage.Reply first = cluster.accept(CollectGarbage.NOW);
        assertEquals(new CollectGarbage.Reply(CollectGarbage.MOST, true), first);
        while (cluster.accept(CollectGarbage.NOW).more()) {
            cluster.pass(Duration.ofSeconds(1));
        }
        assertEquals(0, cluster.state().count(TableName.JOBS));
        assertEquals(0, cluster.state().count(TableName.EVALUATIONS));
    }

    @Test
    void purged_whileItIsHeard_isRefused() {
        cluster.node("n1");
        String refused = cluster.refuse(new PurgeNode("n1"));
        assertTrue(refused.contains("is ready, and would be back at once"), refused);
        assertEquals("node not found", cluster.refuse(new PurgeNode("n2")));
    }

    @Test
    void purged_onceItIsDown_isForgotten_andMayComeBack() {
        cluster.node("n1");
        cluster.down("n1");
        cluster.accept(new PurgeNode("n1"));
        assertTrue(cluster.state().node("n1").isEmpty());
        assertTrue(cluster.state().nodeTombstone("n1").isEmpty());
        cluster.node("n1");
        assertTrue(cluster.state().node("n1").isPresent());
    }

    /** It may still write. */
    @Test
    void purged_withAClaimThatNobodyHasProvedFree_keepsTheVolumeExcluded() {
        cluster.node("n1");
        cluster.volume("v", Cluster.WRITER);
        cluster.writer("a", "v");
        cluster.runs("a");
        cluster.node("n2");
        cluster.down("n1");
        cluster.accept(new PurgeNode("n1"));
        assertTrue(cluster.state().node("n1").isEmpty());
        assertTrue(cluster.state().nodeTombstone("n1").isPresent());
        assertEquals(ClaimState.WAITING, cluster.claim("v", "a").state());
    }
}
