package io.cleat.agent.volumes;

import static io.cleat.agent.volumes.Ground.SHARED;
import static io.cleat.agent.volumes.Ground.SINGLE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.PluginTrouble;
import io.cleat.base.Retry;
import io.cleat.kernel.Mount;
import io.cleat.kernel.MountTable;
import io.cleat.testkit.Behaviour;
import io.cleat.testkit.Eventually;
import java.nio.file.Files;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** A plugin that mounts more than it was asked for. */
class SurplusMountsTest extends OnGround {
    SurplusMountsTest() throws Exception {}

    private PluginTrouble refused(String alloc) {
        PluginTrouble trouble = assertThrows(PluginTrouble.class, () -> ground.publish(alloc, "ext-1", SHARED));
        assertTrue(trouble.retry() instanceof Retry.Never, trouble.reason());
        assertTrue(trouble.reason().contains("asked for one mount"), trouble.reason());
        assertTrue(ground.news.volume.stream().anyMatch(event -> event.message().contains("made more")));
        return trouble;
    }

    private List<Mount> mounts() throws Exception {
        return MountTable.readTwice().atOrBelow(ground.hostRoot);
    }

    /** With the staging as a peer each bind doubles the table: 2, 3, 5, 9 ... 4,097. */
    @Test
    void pluginThatBindsTwelveTimes_isNamedAndUndoneAndTheTableDoesNotDouble() throws Exception {
        ground.storage.bindOften(12);
        PluginTrouble trouble = refused("a1");
        assertTrue(trouble.reason().contains("12 mounts at or below"), trouble.reason());
        assertEquals(1, ground.plugin.calls("NodePublishVolume").size());
        ground.unpublish("a1");
        ground.assertNothingLeft();
    }

    /** What a container shares with its host, nobody takes from it before it has bound. */
    @Test
    void pluginThatDoublesTheTable_isNamedAndUndoneAtOnce() throws Exception {
        ground.storage.bindOften(12);
        ground.storage.shareStagings();
        PluginTrouble trouble = refused("a1");
        String staging = ground.staging("ext-1-name").toString();
        assertTrue(trouble.reason().contains("mounts at or below " + staging), trouble.reason());
        assertEquals(1, ground.plugin.calls("NodePublishVolume").size());
        assertEquals(List.of(), mounts());
        ground.unpublish("a1");
        ground.assertNothingLeft();
    }

    /** Nobody keeps that from who may mount in a tree that the host sees; it is undone. */
    @Test
    void pluginThatBindsATargetOntoItself_isNamedAndUndoneAtOnce() throws Exception {
        ground.selfBinds.times(10);
        PluginTrouble trouble = refused("a1");
        assertTrue(trouble.reason().contains("1024 mounts at or below"), trouble.reason());
        assertEquals(1, ground.plugin.calls("NodePublishVolume").size());
        ground.unpublish("a1");
        ground.assertNothingLeft();
    }

    @Test
    void pluginThatMountsBesideItsTarget_isNamedAndUndone() throws Exception {
        ground.storage.bindBeside();
        PluginTrouble trouble = refused("a1");
        assertTrue(trouble.reason().contains("beside"), trouble.reason());
        assertFalse(mounts().stream().anyMatch(mount -> mount.target().endsWith("/beside")));
        ground.unpublish("a1");
        assertEquals(List.of(), mounts());
    }

    /** It stayed, since the directory is not empty, and the allocation could never end. */
    @Test
    void pluginThatMountsOverTheDirectoryOfItsTarget_isNamedAndUndone() throws Exception {
        ground.storage.bindOverParent();
        PluginTrouble trouble = refused("a1");
        assertFalse(trouble.reason().contains("stay"), trouble.reason());
        ground.unpublish("a1");
        assertEquals(List.of(), mounts());
    }

    @Test
    void otherUsersOfTheVolumeKeepIt() throws Exception {
        Publication first = ground.publish("a1", "ext-1", SHARED);
        Files.writeString(first.path().resolve("canary"), "alive");
        ground.storage.bindOften(12);
        refused("a2");
        assertEquals("alive", Files.readString(first.path().resolve("canary")));
        ground.unpublish("a2");
        ground.storage.bindOften(1);
        ground.publish("a3", "ext-1", SHARED);
        ground.unpublish("a3");
        ground.unpublish("a1");
        ground.assertNothingLeft();
    }

    @Test
    void stagingSharesNothingOnceItIsSeen() throws Exception {
        ground.publish("a1", "ext-1", SINGLE);
        Mount staged = MountTable.readTwice().at(ground.staging("ext-1-name")).orElseThrow();
        assertFalse(staged.propagation().isShared());
        ground.unpublish("a1");
        ground.assertNothingLeft();
    }

    /** Each took the other's mount for its own, and the volume that did nothing failed for ever. */
    @Test
    void surplusOfOneCall_isNotBlamedOnAnotherThatWasInFlight() throws Exception {
        CountDownLatch innocentAnswers = new CountDownLatch(1);
        CountDownLatch hostileAnswers = new CountDownLatch(1);
        ground.plugin.script(
                "NodePublishVolume",
                Behaviour.doThen(Behaviour.waitFor(innocentAnswers)),
                Behaviour.doThen(Behaviour.waitFor(hostileAnswers)),
                Behaviour.ok());
        AtomicReference<Object> innocent = new AtomicReference<>();
        AtomicReference<Object> hostile = new AtomicReference<>();
        Thread first = publishing("a1", "ext-1", SHARED, innocent);
        Eventually.holds(SOON, () -> mounts().size() == 2, "the first volume is bound");
        ground.storage.bindBeside();
        Thread second = publishing("a2", "ext-2", SHARED, hostile);
        Eventually.holds(SOON, () -> mounts().size() == 5, "the second is, and one beside it");
        innocentAnswers.countDown();
        awaitWait();
        hostileAnswers.countDown();
        join(first);
        join(second);
        assertTrue(ground.news.volume.stream().anyMatch(event -> event.message().contains("one of several calls")));
        assertInstanceOf(Publication.class, innocent.get());
        assertInstanceOf(Publication.class, hostile.get());
        assertEquals(4, mounts().size(), "two stagings, two targets");
        ground.unpublish("a1");
        ground.unpublish("a2");
        assertEquals(List.of(), mounts());
    }
}
