package io.cleat.clusterapi.plugins;

import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.cleat.clusterapi.Town;
import io.cleat.schedule.PluginCounts;
import io.cleat.state.Change;
import io.cleat.state.NodeStatus;
import org.junit.jupiter.api.Test;

/** What many pages of volumes share is derived once. */
final class KnownCountsTest {
    private final KnownCounts known = new KnownCounts();
    private final Town town = Town.start().node();

    private PluginCounts counts() {
        return known.in(town.state()).apply("hp");
    }

    @Test
    void aPluginIsCountedOnce_whileOnlyVolumesChange() {
        PluginCounts before = counts();
        town.volume();
        assertSame(before, counts());
    }

    @Test
    void aNodeThatGoesDownIsCounted() {
        PluginCounts before = counts();
        town.apply(new Change.NodeStatusChanged(Town.NODE, NodeStatus.DOWN, "gone"));
        assertNotSame(before, counts());
    }
}
