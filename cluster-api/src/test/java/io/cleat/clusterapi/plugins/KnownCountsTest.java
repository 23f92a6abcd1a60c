package io.cleat.clusterapi.plugins;

import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.cleat.clusterapi.SampleCluster;
import io.cleat.schedule.PluginCounts;
import io.cleat.state.Change;
import io.cleat.state.NodeStatus;
import org.junit.jupiter.api.Test;

/** What many pages of volumes share is derived once. */
final class KnownCountsTest {
    private final KnownCounts known = new KnownCounts();
    private final SampleCluster sample = SampleCluster.start().node();

    private PluginCounts counts() {
        return known.in(sample.state()).apply("hp");
    }

    @Test
    void aPluginIsCountedOnce_whileOnlyVolumesChange() {
        PluginCounts before = counts();
        sample.volume();
        assertSame(before, counts());
    }

    @Test
    void aNodeThatGoesDownIsCounted() {
        PluginCounts before = counts();
        sample.apply(new Change.NodeStatusChanged(SampleCluster.NODE, NodeStatus.DOWN, "gone"));
        assertNotSame(before, counts());
    }
}
