package io.cleat.agent.volumes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.csi.v1.NodeGetVolumeStatsRequest;
import io.cleat.testkit.Behaviour;
import io.cleat.testkit.FakeCsiSetup;
import io.grpc.Status;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How full volumes are, as their plugin says. */
@Timeout(60)
class VolumeUsageTest {
    private final Ground ground;
    private final VolumeUsage usage;

    VolumeUsageTest() throws Exception {
        ground = Ground.make(FakeCsiSetup.whole());
        usage = new VolumeUsage(ground.parts(JournalPoint.Listener.NONE));
    }

    @AfterEach
    void clear() throws Exception {
        ground.close();
    }

    private VolumeUsage.Seen only(String allocId) throws InterruptedException {
        Map<String, VolumeUsage.Seen> seen = usage.of(allocId);
        assertEquals(1, seen.size(), seen::toString);
        return Objects.requireNonNull(List.copyOf(seen.values()).getFirst());
    }

    @Test
    void thePluginIsAskedWithThePathsOfTheUse() throws Exception {
        ground.publish("a1", "ext-1", Ground.SHARED);
        ground.publish("a2", "ext-1", Ground.SHARED);
        VolumeUsage.Seen seen = only("a1");
        VolumeUsage.Amount bytes = seen.bytes().orElseThrow();
        assertEquals(bytes.total() / 4, bytes.used());
        assertEquals(new VolumeUsage.Amount(989, 1000, 11), seen.inodes().orElseThrow());
        assertEquals("", seen.trouble());
        NodeGetVolumeStatsRequest asked = (NodeGetVolumeStatsRequest)
                ground.plugin.calls("NodeGetVolumeStats").getFirst().request();
        assertTrue(asked.getVolumePath().contains("/a1/"), asked.getVolumePath());
        assertEquals(ground.staging("ext-1-name").toString(), asked.getStagingTargetPath());
    }

    @Test
    void aPluginThatRefusesIsSaidInItsWords() throws Exception {
        ground.publish("a1", "ext-1", Ground.SHARED);
        ground.plugin.script(
                "NodeGetVolumeStats", Behaviour.refuse(Status.Code.FAILED_PRECONDITION, "the pool is asleep"));
        VolumeUsage.Seen seen = only("a1");
        assertEquals(Optional.empty(), seen.bytes());
        assertTrue(seen.trouble().contains("the pool is asleep"), seen.trouble());
    }

    @Test
    void whatIsNotPublishedIsNotAskedAbout() throws Exception {
        ground.publish("a1", "ext-1", Ground.SHARED);
        ground.unpublish("a1");
        assertEquals(Map.of(), usage.of("a1"));
        assertEquals(Map.of(), usage.of("a2"));
        assertEquals(List.of(), ground.plugin.calls("NodeGetVolumeStats"));
    }
}
