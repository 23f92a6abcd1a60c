package io.cleat.server.decide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.model.BlockedBy;
import io.cleat.model.ClientStatus;
import io.cleat.model.DesiredStatus;
import io.cleat.model.JobSpec;
import io.cleat.model.JobType;
import io.cleat.model.PluginInstance;
import io.cleat.state.AllocationRow;
import io.cleat.state.ClaimRow;
import io.cleat.state.ClaimState;
import io.cleat.state.Encrypted;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * What users of Nomad complain of, by the thread they did it in; each is the situation as told there, and must end well
 * here.
 */
final class PainsTest {
    private final Cluster cluster = new Cluster();

    /** nomad#15415: the node was collected, and its claims are stuck for ever. */
    @Test
    void nomad15415_aCollectedNodesClaim_hasAWayOut() {
        cluster.node("n1");
        cluster.volume("v", Cluster.WRITER);
        cluster.writer("a", "v");
        cluster.runs("a");
        cluster.node("n2");
        cluster.down("n1");
        cluster.pass(Duration.ofDays(30));
        cluster.accept(CollectGarbage.REGULARLY);
        assertTrue(cluster.state().node("n1").isEmpty());
        assertEquals(ClaimState.WAITING, cluster.claim("v", "a").state(), "no proof, no grant");
        String words = cluster.refuse(new DeleteVolume(Cluster.volumeId("v"), Encrypted.NONE, cluster.id()));
        assertTrue(words.startsWith("volume in use: v"), words);
        assertTrue(words.contains("releasing for "), words);
        cluster.accept(new DetachVolume(Cluster.volumeId("v"), "n1", true, "root"));
        assertEquals(ClaimState.GRANTED, cluster.claim("v", "a").state());
    }

    /** nomad#10052: claims are taken, and none of their allocations exists. */
    @Test
    void nomad10052_noClaimOutlivesItsAllocation() {
        cluster.node("n1");
        cluster.volume("v", Cluster.WRITER);
        for (int round = 0; round < 20; round++) {
            cluster.writer("a", "v");
            cluster.runs("a");
            cluster.accept(new DeregisterJob(Cluster.jobId("a"), true, false, false, 0, cluster.id()));
            cluster.schedule();
            cluster.pass(Duration.ofDays(1));
            cluster.accept(CollectGarbage.NOW);
            for (ClaimRow claim : cluster.claims("v")) {
                assertTrue(cluster.state().allocation(claim.allocId()).isPresent());
            }
            cluster.ends(cluster.allocation("a"), ClientStatus.COMPLETE);
            assertEquals(List.of(), cluster.claims("v"));
            cluster.accept(CollectGarbage.NOW);
        }
    }

    /** nomad#7817: a wrong count of healthy plugins blocks; here there is nothing to count wrong. */
    @Test
    void nomad7817_aPluginIsThereExactlyWhileSomethingRefersToIt() {
        JobSpec job = Cluster.job("p", JobType.SYSTEM, 1, Cluster.pluginSpec("/local/csi"), "/bin/p");
        cluster.run(job);
        cluster.node("n1");
        cluster.stop("p");
        assertTrue(cluster.state().plugin(Cluster.PLUGIN).isPresent(), "an instance is left");
        cluster.accept(new ReportFacts(cluster.facts("n1", "boot-1"), cluster.id()));
        assertTrue(cluster.state().plugin(Cluster.PLUGIN).isEmpty(), "no ghost");
    }

    /** nomad#11784: two allocations serve one plugin on a node, and one of them goes. */
    @Test
    void nomad11784_theOtherInstanceOfThePluginServesOn() {
        PluginInstance first = cluster.plugin("n1");
        PluginInstance second = new PluginInstance(
                first.pluginId(),
                "another-alloc",
                true,
                "healthy",
                first.provider(),
                "2",
                false,
                false,
                first.updatedAt(),
                null,
                first.node());
        cluster.register(cluster.facts("n1", "boot-1", second, first));
        cluster.volume("v", Cluster.WRITER);
        cluster.accept(new ReportFacts(cluster.facts("n1", "boot-1", first), cluster.id()));
        cluster.writer("a", "v");
        assertEquals(ClaimState.GRANTED, cluster.claim("v", "a").state());
    }

    /** nomad#13380: a redeployment waits for the volume of what it replaces, until it fails. */
    @Test
    void nomad13380_aRedeploymentTakesTheVolumeOver() {
        cluster.node("n1");
        cluster.volume("v", Cluster.WRITER);
        for (int round = 0; round < 5; round++) {
            AllocationRow before = round == 0 ? null : cluster.allocation("a");
            cluster.run(Cluster.job(
                    "a", JobType.SERVICE, 1, null, "/bin/" + round, Cluster.request("v", Cluster.WRITER, false)));
            if (before != null) {
                assertEquals(DesiredStatus.STOP, row(before).desired(), "it goes first");
                cluster.ends(row(before), ClientStatus.COMPLETE);
            }
            assertEquals(ClaimState.GRANTED, cluster.claim("v", "a").state());
            cluster.runs("a");
        }
        assertEquals(1, cluster.claims("v").size());
    }

    private AllocationRow row(AllocationRow of) {
        return cluster.state().allocation(of.id()).orElseThrow();
    }

    /** nomad#12963: a volume added to a running job has no effect. */
    @Test
    void nomad12963_aVolumeThatIsAddedReplacesTheAllocation() {
        cluster.node("n1");
        cluster.volume("v", Cluster.WRITER);
        cluster.run(Cluster.job("a", JobType.SERVICE, 1));
        AllocationRow before = cluster.allocation("a");
        cluster.writer("a", "v");
        assertTrue(!cluster.allocation("a").id().equals(before.id()));
        assertEquals(cluster.allocation("a").id(), cluster.claim("v", "a").allocId());
    }

    /** nomad#27324: the error repeats each minute and names neither volume nor allocation. */
    @Test
    void nomad27324_whoHoldsWhatIsSaid() {
        cluster.node("n1");
        cluster.volume("v", Cluster.WRITER);
        cluster.writer("a", "v");
        cluster.writer("b", "v");
        BlockedBy why = Objects.requireNonNull(cluster.onlyBlocked().waits().blockedBy());
        assertTrue(why.holder().contains("volume v"), why.holder());
        assertTrue(why.holder().contains(cluster.allocation("a").id()), why.holder());
        assertTrue(!why.hint().isEmpty());
    }
}
