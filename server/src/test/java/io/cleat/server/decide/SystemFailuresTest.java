package io.cleat.server.decide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.cleat.model.ClientStatus;
import io.cleat.model.JobSpec;
import io.cleat.model.JobType;
import io.cleat.model.Resources;
import io.cleat.schedule.PluginHealth;
import io.cleat.state.AllocationRow;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What becomes of a system job's allocation that has failed. Situation -> answer. */
final class SystemFailuresTest {
    private final Cluster cluster = new Cluster();

    private AllocationRow failed(JobSpec job) {
        cluster.node("n1");
        cluster.run(job);
        AllocationRow row = cluster.allocation("s");
        cluster.ends(row, ClientStatus.FAILED);
        assertEquals(row.id(), cluster.allocation("s").id());
        return row;
    }

    private static JobSpec plain() {
        return Cluster.job("s", JobType.SYSTEM, 1);
    }

    private static JobSpec plugin() {
        return Cluster.job("s", JobType.SYSTEM, 1, Cluster.pluginSpec("/local/csi"), "/bin/true");
    }

    private static int expected(Cluster cluster) {
        return PluginHealth.of(cluster.state(), Cluster.PLUGIN).nodesExpected();
    }

    @Test
    void itStays_whateverElseHappens() {
        AllocationRow row = failed(plain());
        cluster.pass(Duration.ofHours(1));
        cluster.node("n2");
        cluster.schedule();
        assertEquals(2, cluster.state().allocationsOfJob(row.job()).size(), "on the new node");
    }

    /** A person who ran the job again got nothing, without a word. */
    @Test
    void theJobIsRegisteredAgainAsItIs_itIsPlacedAnew() {
        AllocationRow row = failed(plain());
        cluster.run(plain());
        assertEquals(row.id(), cluster.allocation("s").lineage().previous());
    }

    @Test
    void theJobIsEvaluatedOnRequest_itIsPlacedAnewOnce() {
        AllocationRow row = failed(plain());
        cluster.accept(new EvaluateJob(row.job(), false, cluster.id()));
        cluster.schedule();
        AllocationRow next = cluster.allocation("s");
        assertEquals(row.id(), next.lineage().previous());
        cluster.ends(next, ClientStatus.FAILED);
        assertEquals(next.id(), cluster.allocation("s").id());
    }

    /** Three crashes in a minute ended a node's storage for good. */
    @Test
    void ofAPlugin_itIsPlacedAnewByItself_andCountsMeanwhile() {
        AllocationRow row = failed(plugin());
        assertEquals(1, expected(cluster));
        cluster.pass(Duration.ofSeconds(31));
        cluster.schedule();
        AllocationRow next = cluster.allocation("s");
        assertEquals(row.id(), next.lineage().previous());
        assertEquals(1, next.lineage().reschedules().size());
        assertEquals(1, expected(cluster));
        cluster.ends(next, ClientStatus.FAILED);
        cluster.pass(Duration.ofSeconds(31));
        cluster.schedule();
        assertEquals(next.id(), cluster.allocation("s").id(), "it waits twice as long");
        cluster.pass(Duration.ofSeconds(31));
        cluster.schedule();
        assertNotEquals(next.id(), cluster.allocation("s").id());
    }

    /** It was counted as failed and as queued. */
    @Test
    void ofAPluginThatFindsNoRoom_itCountsOnce() {
        AllocationRow row = failed(plugin());
        cluster.run(Cluster.sized(Cluster.job("greedy", JobType.BATCH, 1), new Resources(2000, 2000, 0)));
        assertEquals(1, expected(cluster));
        cluster.pass(Duration.ofSeconds(31));
        cluster.schedule();
        assertEquals(row.id(), cluster.allocation("s").id(), "no room");
        assertEquals(1, expected(cluster));
    }

    @Test
    void ofAPluginWhoseJobIsStopped_nothingFollows() {
        AllocationRow row = failed(plugin());
        cluster.stop("s");
        cluster.pass(Duration.ofMinutes(10));
        cluster.schedule();
        assertEquals(row.id(), cluster.allocation("s").id());
        assertEquals(0, expected(cluster));
    }
}
