package io.cleat.clusterapi.volumes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.cleat.api.HostVolume;
import io.cleat.api.Json;
import io.cleat.api.VolumeWhy;
import io.cleat.clusterapi.SampleCluster;
import io.cleat.http.ReadQuery;
import io.cleat.model.BlockedBy;
import io.cleat.model.HostVolumeSpec;
import io.cleat.state.Change;
import io.cleat.state.HostVolumeOrder;
import io.cleat.state.HostVolumeRow;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Host volumes whose node has not answered: they say what they wait for. */
class WaitingHostVolumeTest {
    private static HostVolume shown(@Nullable Instant nextTry) throws Exception {
        HostVolumeRow row = HostVolumeRow.of(
                new HostVolumeSpec(
                        "hv-1", "default", "disk", "mkdir", "gone", "default", List.of(), List.of(), 0, 0, Map.of()),
                SampleCluster.AT);
        HostVolumeOrder order =
                new HostVolumeOrder("", 3, new BlockedBy("create", "node n9", SampleCluster.AT, nextTry, "no answer"));
        SampleCluster sample =
                SampleCluster.start().apply(new Change.HostVolumePut(row.ordered(order, SampleCluster.AT)));
        return sample.cluster()
                .hostVolumes()
                .get(ReadQuery.now("default"), "hv-1")
                .body()
                .orElseThrow();
    }

    @Test
    void oneOfANodeThatIsAway_isNotTriedUntilThatIsHeard() throws Exception {
        HostVolume shown = shown(SampleCluster.AT.plusSeconds(60));
        assertEquals("pending", shown.State());
        VolumeWhy.Waiting waiting = shown.BlockedBy();
        assertNotNull(waiting);
        assertEquals("node n9", waiting.Holder());
        assertNull(waiting.NextTry());
        assertEquals("no answer; the node is not known any more, and is asked once it is heard", waiting.Hint());
    }

    @Test
    void oneThatIsNotTriedAnyMore_saysWhatItsOrderSays() throws Exception {
        VolumeWhy.Waiting waiting = shown(null).BlockedBy();
        assertNotNull(waiting);
        assertEquals("no answer", waiting.Hint());
    }

    @Test
    void oneThatWaitsForNothing_hasNoFieldThatClientsDoNotKnow() throws Exception {
        HostVolumeRow row = HostVolumeRow.of(
                new HostVolumeSpec(
                        "hv-1", "default", "disk", "mkdir", "n1", "default", List.of(), List.of(), 0, 0, Map.of()),
                SampleCluster.AT);
        String json = Json.text(HostVolumeAnswers.whole(SampleCluster.start().state(), row));
        assertFalse(json.contains("BlockedBy"), json);
    }
}
