package io.cleat.clusterapi.volumes;

import static io.cleat.state.VolumeProgress.Phase.PUBLISHED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.api.VolumeWhy;
import io.cleat.clusterapi.PendingCalls;
import io.cleat.clusterapi.SampleCluster;
import io.cleat.http.ReadQuery;
import io.cleat.model.BlockedBy;
import io.cleat.model.ClientStatus;
import io.cleat.model.JobId;
import io.cleat.model.TaskState;
import io.cleat.state.Change;
import io.cleat.state.EvaluationRow;
import io.cleat.state.EvaluationStatus;
import io.cleat.state.HoldingId;
import io.cleat.state.HoldingRow;
import io.cleat.state.JobRow;
import io.cleat.state.NodeStatus;
import io.cleat.state.OperationState;
import io.cleat.state.OtherPastRow;
import io.cleat.state.Trigger;
import io.cleat.state.VolumeProgress;
import io.cleat.state.VolumeRow;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Why a volume is as it is. */
final class WhyViewTest {
    private static final ReadQuery NOW = ReadQuery.now("default");

    @Test
    void anExpansionThatAUserDoesNotSeeYetIsToldWithWhatItWaitsFor() throws Exception {
        SampleCluster sample = SampleCluster.whole();
        VolumeRow row = sample.state().volume(SampleCluster.VOLUME).orElseThrow();
        sample.apply(new Change.VolumePut(row.grown(20971520, true, SampleCluster.AT)));
        VolumeWhy why = sample.cluster().volumes().why(NOW, "v1").body().orElseThrow();
        assertTrue(why.State().endsWith("its new size waits for one allocation"), why.State());
        VolumeWhy.Waiting waiting = why.Waiting().stream()
                .filter(each -> each.Step().equals("expand"))
                .findFirst()
                .orElseThrow();
        assertEquals("expansion to 20971520 bytes for allocation " + SampleCluster.WEB_ALLOC, waiting.What());
        assertEquals("node vm was told and has not answered yet", waiting.Hint());

        BlockedBy said =
                new BlockedBy("expand", "plugin hp", SampleCluster.AT, SampleCluster.AT.plusSeconds(5), "asked again");
        sample.apply(report(new VolumeProgress(SampleCluster.VOLUME, 1, PUBLISHED, 0, said)));
        waiting = sample.cluster()
                .volumes()
                .why(NOW, "v1")
                .body()
                .orElseThrow()
                .Waiting()
                .getFirst();
        assertEquals("asked again", waiting.Hint());
        assertEquals(SampleCluster.AT.plusSeconds(5), waiting.NextTry());

        sample.apply(new Change.NodeStatusChanged(SampleCluster.NODE, NodeStatus.DOWN, "not heard"));
        sample.apply(report(new VolumeProgress(SampleCluster.VOLUME, 1, PUBLISHED, 0, null)));
        waiting = sample.cluster()
                .volumes()
                .why(NOW, "v1")
                .body()
                .orElseThrow()
                .Waiting()
                .getFirst();
        assertEquals("node vm expands it once it is back", waiting.Hint());

        sample.apply(report(new VolumeProgress(SampleCluster.VOLUME, 1, PUBLISHED, 20971520, null)));
        assertEquals(
                List.of(),
                sample.cluster().volumes().why(NOW, "v1").body().orElseThrow().Waiting());
    }

    /** The words of the refusal sent people to "volume why", which knew no such volume. */
    @Test
    void aVolumeThatIsStillBeingMade_tellsWhatItsCallWaitsFor() throws Exception {
        SampleCluster sample = SampleCluster.whole();
        assertEquals(Optional.empty(), sample.cluster().volumes().why(NOW, "v9").body());
        sample.apply(PendingCalls.creating(sample, OperationState.UNKNOWN));
        VolumeWhy why = sample.cluster().volumes().why(NOW, "v9").body().orElseThrow();
        assertEquals("v9", why.ID());
        VolumeWhy.Waiting waiting = why.Waiting().getFirst();
        assertEquals("call CreateVolume (unknown, tries 4)", waiting.What());
        assertEquals("plugin hp (Internal: no)", waiting.Holder());
    }

    private static Change report(VolumeProgress progress) {
        return new Change.AllocationReported(
                SampleCluster.WEB_ALLOC, ClientStatus.RUNNING, "", Map.of(), Map.of("data", progress), null, null);
    }

    @Test
    void whyOfAVolumeWhosePluginIsAbsent_saysWhatItsJobDoes() throws Exception {
        assertEquals(
                "free: nobody uses it; no node has its plugin hp: no job runs it; run one with a"
                        + " csi_plugin block of this id",
                stateOf(SampleCluster.start().node().volume()));
        assertEquals(
                "free: nobody uses it; no node has its plugin hp: job hostpath runs nowhere; to see"
                        + " why: cleat job status hostpath",
                stateOf(SampleCluster.start().node().volume().pluginJob()));
        SampleCluster placed = SampleCluster.start().node().volume().plugin();
        placed.apply(new Change.NodeFactsChanged(
                SampleCluster.nodeRow(SampleCluster.NODE, List.of()).facts()));
        assertEquals(
                "free: nobody uses it; no node has its plugin hp: job hostpath on node vm starts it", stateOf(placed));
        placed.apply(new Change.AllocationReported(
                SampleCluster.PLUGIN_ALLOC,
                ClientStatus.PENDING,
                "",
                Map.of(
                        "plugin",
                        new TaskState(TaskState.Phase.PENDING, false, 2, SampleCluster.AT, null, null, List.of())),
                Map.of(),
                null,
                null));
        assertEquals(
                "free: nobody uses it; no node has its plugin hp: job hostpath on node vm restarts"
                        + " its task by itself (restarts so far: 2)",
                stateOf(placed));
    }

    @Test
    void whyOfAVolume_tellsOfARecoveryAndOfWhatIsHeldSince() throws Exception {
        SampleCluster sample = SampleCluster.start().node().volume();
        String held = "held since before the recovery: allocation lost on node vm, which this cluster does"
                + " not know, has it";
        sample.apply(
                new Change.OtherPastPut(
                        new OtherPastRow(SampleCluster.NODE, "vm", 9, "", 5, SampleCluster.AT, true, 0, 0)),
                new Change.HoldingPut(new HoldingRow(
                        new HoldingId(SampleCluster.NODE, SampleCluster.KEY, "lost", "data"), SampleCluster.AT, 0, 0)));
        String recovering = stateOf(sample);
        assertTrue(recovering.startsWith("the cluster is in recovery since " + SampleCluster.AT), recovering);
        assertTrue(recovering.contains("see operator recovery; " + held), recovering);
        sample.apply(new Change.OtherPastPut(
                new OtherPastRow(SampleCluster.NODE, "vm", 9, "", 5, SampleCluster.AT, false, 0, 0)));
        assertTrue(stateOf(sample).startsWith(held), stateOf(sample));
    }

    private static String stateOf(SampleCluster sample) throws Exception {
        return sample.cluster().volumes().why(NOW, "v1").body().orElseThrow().State();
    }

    @Test
    void whyOfAVolume_tellsOfAJobThatWaitsForItsPluginOrPlace() throws Exception {
        SampleCluster sample = SampleCluster.start().node().volume().web();
        JobRow job = sample.state().job(new JobId("default", "web")).orElseThrow();
        sample.apply(new Change.EvaluationPut(EvaluationRow.pending(
                        "bbbb0000-0000-0000-0000-000000000001", job, 50, Trigger.QUEUED_ALLOCS, "", SampleCluster.AT)
                .status(EvaluationStatus.BLOCKED, "", SampleCluster.AT)
                .failedGroups(Map.of("g", SampleCluster.metric()))
                .blockedOn(
                        List.of(),
                        true,
                        new BlockedBy(
                                "place",
                                "a node that can take it (did not meet topology requirement)",
                                SampleCluster.AT,
                                null,
                                "it is tried again"))));
        VolumeWhy why = sample.cluster().volumes().why(NOW, "v1").body().orElseThrow();
        assertTrue(why.State().contains("one job waits for it"), why.State());
        assertEquals(
                "a node that can take it (did not meet topology requirement)",
                why.Waiting().getFirst().Holder());
    }
}
