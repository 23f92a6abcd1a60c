package io.cleat.agent.volumes;

import static io.cleat.agent.volumes.Ground.SHARED;
import static io.cleat.agent.volumes.Ground.SINGLE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Trouble;
import io.cleat.model.BlockedBy;
import io.cleat.testkit.Behaviour;
import io.cleat.wire.ToServer.VolumePhase;
import io.grpc.Status;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** What a node's people are told of mounting and unmounting: its events, and how far each is. */
class MountEventsTest extends OnGround {
    MountEventsTest() throws Exception {}

    /** The details of the node's events of that name. */
    private List<Map<String, String>> events(String message) {
        return ground.news.node.stream()
                .filter(event -> event.message().equals(message))
                .map(event -> event.details())
                .toList();
    }

    @Test
    void aRefusedMountIsAnEventOfTheNodeWithThePluginsWords() throws Exception {
        ground.plugin.script("NodeStageVolume", Behaviour.refuse(Status.Code.INVALID_ARGUMENT, "no such pool"));
        assertThrows(Trouble.class, () -> ground.publish("a1", "ext-1", SINGLE));
        Map<String, String> event = events("Mount volume").getFirst();
        assertEquals("false", event.get("success"));
        assertEquals("ext-1-name", event.get("volume_id"));
        assertTrue(String.valueOf(event.get("error")).contains("no such pool"), event::toString);
    }

    @Test
    void eachTryToUnmountThatFailsIsAnEvent_andSoIsTheOneThatDoesNot() throws Exception {
        ground.publish("a1", "ext-1", SINGLE);
        ground.told.phases.clear();
        ground.told.silences.clear();
        ground.plugin.script(
                "NodeUnpublishVolume", Behaviour.refuse(Status.Code.INTERNAL, "device is busy"), Behaviour.ok());
        ground.unpublish("a1");
        List<Map<String, String>> events = events("Unmount volume");
        assertEquals(
                List.of("false", "true"),
                events.stream().map(event -> event.get("success")).toList());
        assertTrue(String.valueOf(events.getFirst().get("error")).contains("device is busy"), events::toString);
        assertEquals(List.of(VolumePhase.UNMOUNTING), ground.told.silences, "before the first try");
        assertEquals(
                List.of(VolumePhase.UNMOUNTING),
                ground.told.phases.stream().distinct().toList());
    }

    @Test
    void whoUnmountsIsToldWhoIsAtTheVolume() throws Exception {
        ground.publish("a1", "ext-1", SHARED);
        CountDownLatch gate = new CountDownLatch(1);
        ground.plugin.script("NodePublishVolume", Behaviour.waitFor(gate));
        Thread mounting = publishing("a2", "ext-1", SHARED, new AtomicReference<>());
        ground.plugin.awaitCalls("NodePublishVolume", 2, SOON);
        Thread unmounting = ground.threads.vitalWork("test/unmount", () -> ground.unpublish("a1"));
        BlockedBy told = ground.told.await("mounting for allocation a2");
        assertEquals("turn", told.step());
        assertEquals(VolumePhase.UNMOUNTING, ground.told.phases.getLast());
        gate.countDown();
        join(mounting);
        join(unmounting);
        ground.unpublish("a2");
        ground.assertNothingLeft();
    }

    @Test
    void aStagingWithoutUsersThatStays_isToldByTheSweepWithItsReason() throws Exception {
        ground.publish("a1", "ext-1", SINGLE);
        stopWhile("NodeUnstageVolume");
        ground.plugins.vanish(Ground.PLUGIN);
        List<String> owed = ground.sweeper.sweep(List::of).owed();
        assertTrue(owed.toString().contains("does not run"), owed::toString);
        ground.appear();
        ground.sweeper.sweep(List::of);
        ground.assertNothingLeft();
    }
}
