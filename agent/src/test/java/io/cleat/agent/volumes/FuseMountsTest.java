package io.cleat.agent.volumes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.kernel.Mounts;
import io.cleat.model.BlockedBy;
import io.cleat.model.MountLoss;
import io.cleat.model.NodeEvent;
import io.cleat.testkit.Behaviour;
import io.cleat.testkit.Eventually;
import io.grpc.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Mounts that a plugin's own processes hold: they die, or hang, with it. */
@Timeout(60)
class FuseMountsTest {
    private final Ground ground;
    private final List<String> lost = new ArrayList<>();

    FuseMountsTest() throws Exception {
        ground = Ground.holding();
    }

    @AfterEach
    void clear() throws Exception {
        ground.close();
    }

    private void look() throws InterruptedException {
        ground.watch.look(new MountWatch.Users() {
            @Override
            public boolean mountLost(String allocId, String alias, MountLoss policy) {
                return lost.add(allocId + " " + alias + " " + policy);
            }

            @Override
            public boolean seesOther(String allocId, String alias) {
                return false;
            }
        });
    }

    private List<String> told() {
        return ground.news.node.stream()
                .map(NodeEvent::message)
                .filter(message -> message.startsWith("Mount ") && !message.equals("Mount volume"))
                .toList();
    }

    private long count(String event) {
        return told().stream().filter(event::equals).count();
    }

    private void policy(MountLoss policy) {
        ground.onMountLoss = policy;
        ground.appear();
    }

    private BlockedBy broken(String alloc) {
        return ground.volumes.broken(alloc, "data").orElseThrow();
    }

    @Test
    void aMountKilledUnderWriting_isSaidAndByDefaultLeftAlone() throws Exception {
        policy(MountLoss.ALERT);
        Path target = ground.publish("a1", "ext-1", Ground.SINGLE).path();
        AtomicReference<IOException> end = new AtomicReference<>();
        Thread writer = ground.threads.vitalWork("test/writer", () -> {
            try (var out = Files.newOutputStream(target.resolve("f"))) {
                while (!Thread.interrupted()) {
                    out.write(1);
                }
            } catch (IOException broken) {
                end.set(broken);
            }
        });
        look();
        assertEquals(List.of(), told());
        Path written = ground.fuse().files("ext-1").resolve("f");
        Eventually.holds(() -> Files.exists(written) && Files.size(written) > 0, "it writes");
        ground.fuse().kill();
        assertTrue(writer.join(Duration.ofSeconds(20)));
        assertTrue(end.get() != null, "who writes is told");
        look();
        look();
        assertEquals(List.of("Mount lost"), told());
        assertEquals(List.of("a1"), ground.news.allocations, "it is said of its allocation, once");
        assertEquals(List.of(), lost);
        assertTrue(broken("a1").holder().contains("is dead"), broken("a1").holder());
        assertTrue(broken("a1").hint().contains("alert"), broken("a1").hint());
        assertEquals(List.of(), ground.plugin.calls("NodeUnpublishVolume"));

        ground.unpublish("a1");
        ground.assertNothingLeft();
        assertEquals(Optional.empty(), ground.volumes.broken("a1", "data"));
        assertTrue(Files.size(ground.fuse().files("ext-1").resolve("f")) > 0);
    }

    @Test
    void aDeadMount_isMountedAnewForAllItsUsersOnceThePluginIsThere() throws Exception {
        policy(MountLoss.REMOUNT);
        Path first = ground.publish("a1", "ext-1", Ground.SHARED).path();
        Path second = ground.publish("a2", "ext-1", Ground.SHARED).path();
        Files.writeString(first.resolve("f"), "kept");
        ground.plugins.vanish(Ground.PLUGIN);
        ground.fuse().kill();
        look();
        assertEquals(List.of(), lost, "nobody could mount it now");
        assertEquals(List.of("Mount lost", "Mount lost"), told());
        ground.appear();
        look();
        look();
        assertEquals(
                List.of("a1 data REMOUNT", "a2 data REMOUNT"),
                lost.stream().sorted().toList());
        assertThrows(IOException.class, () -> Files.readString(first.resolve("f")));

        ground.plugin.clearCalls();
        for (String alloc : List.of("a1", "a2")) {
            ground.volumes.remount(Ground.claim(alloc, "ext-1", Ground.SHARED), ground.told);
        }
        assertEquals("kept", Files.readString(first.resolve("f")));
        assertEquals("kept", Files.readString(second.resolve("f")));
        assertEquals(1, ground.plugin.calls("NodeUnstageVolume").size());
        assertEquals(1, ground.plugin.calls("NodeStageVolume").size());
        assertEquals(2, ground.plugin.calls("NodePublishVolume").size());
        look();
        assertEquals(2, lost.size());
        assertEquals(Optional.empty(), ground.volumes.broken("a1", "data"));
        ground.unpublish("a1");
        ground.unpublish("a2");
        ground.assertNothingLeft();
    }

    /** The kernel gave the new mount all numbers of the dead one, and nobody mounted it anew. */
    @Test
    void aMountThatDiesAgainBeforeItIsLookedAt_isMountedAnewAgain() throws Exception {
        isMountedAnewEachTime(target -> ground.fuse().kill());
    }

    @Test
    void aTargetThatVanishesAgainBeforeItIsLookedAt_isMountedAnewAgain() throws Exception {
        isMountedAnewEachTime(target -> Mounts.linux().detach(target));
    }

    /** What takes a mount away. */
    private interface Loss {
        void of(Path target) throws Exception;
    }

    private void isMountedAnewEachTime(Loss loss) throws Exception {
        policy(MountLoss.REMOUNT);
        Path target = ground.publish("a1", "ext-1", Ground.SINGLE).path();
        for (int round = 1; round <= 3; round++) {
            loss.of(target);
            look();
            look();
            assertEquals(round, lost.size());
            ground.volumes.remount(Ground.claim("a1", "ext-1", Ground.SINGLE), ground.told);
            Files.writeString(target.resolve("f"), "round " + round);
        }
        assertEquals(List.of("Mount lost", "Mount lost", "Mount lost"), told());
        ground.unpublish("a1");
        ground.assertNothingLeft();
    }

    /** Nobody told the second one, whose task went on with a dead mount for ever. */
    @Test
    void anotherUserOfADeadMount_isToldThoughItsMountWasUndoneWithTheFirst() throws Exception {
        policy(MountLoss.REMOUNT);
        Path first = ground.publish("a1", "ext-1", Ground.SHARED).path();
        Path second = ground.publish("a2", "ext-1", Ground.SHARED).path();
        Files.writeString(first.resolve("f"), "kept");
        ground.fuse().kill();
        // The watch has come to the first of them only.
        ground.volumes.remount(Ground.claim("a1", "ext-1", Ground.SHARED), ground.told);
        assertEquals(Optional.empty(), ground.volumes.published("a2", "data"));
        look();
        assertEquals(List.of("a2 data REMOUNT"), lost);
        ground.volumes.remount(Ground.claim("a2", "ext-1", Ground.SHARED), ground.told);
        look();
        assertEquals(1, lost.size());
        assertEquals("kept", Files.readString(second.resolve("f")));
        ground.unpublish("a1");
        ground.unpublish("a2");
        ground.assertNothingLeft();
    }

    @Test
    void anotherUserOfADeadMount_isLeftAloneWhereItsPolicySaysSo() throws Exception {
        policy(MountLoss.ALERT);
        ground.publish("a1", "ext-1", Ground.SHARED);
        ground.publish("a2", "ext-1", Ground.SHARED);
        ground.fuse().kill();
        ground.volumes.remount(Ground.claim("a1", "ext-1", Ground.SHARED), ground.told);
        look();
        assertEquals(List.of(), lost);
        ground.unpublish("a1");
        ground.unpublish("a2");
        ground.assertNothingLeft();
    }

    /** Publishes in the background. */
    private Thread publishing(String alloc, AtomicReference<Object> end) {
        return ground.threads.vitalWork("test/" + alloc, () -> {
            try {
                end.set(ground.publish(alloc, "ext-1", Ground.SHARED).path());
            } catch (InterruptedException stop) {
                end.set("stopped");
            } catch (Exception trouble) {
                end.set(trouble);
            }
        });
    }

    @Test
    void aNewClaimOnADeadMount_waitsForItsUsersAndIsStagedAnew() throws Exception {
        policy(MountLoss.ALERT);
        Path first = ground.publish("a1", "ext-1", Ground.SHARED).path();
        Files.writeString(first.resolve("f"), "kept");
        ground.fuse().kill();
        AtomicReference<Object> end = new AtomicReference<>();
        Thread second = publishing("a2", end);
        BlockedBy wait = ground.told.await("which is dead");
        assertEquals("stage", wait.step());
        assertTrue(wait.holder().contains("allocation a1"), wait.holder());
        assertEquals(1, ground.plugin.calls("NodePublishVolume").size());

        ground.unpublish("a1");
        assertTrue(second.join(Duration.ofSeconds(20)));
        assertEquals("kept", Files.readString(((Path) end.get()).resolve("f")));
        assertEquals(2, ground.plugin.calls("NodeStageVolume").size());
        ground.unpublish("a2");
        ground.assertNothingLeft();
    }

    @Test
    void aStagingThatDiedBeforeItsPublishing_isStagedAnew() throws Exception {
        policy(MountLoss.ALERT);
        ground.plugin.script("NodePublishVolume", Behaviour.refuse(Status.Code.INTERNAL, "not yet"));
        AtomicReference<Object> end = new AtomicReference<>();
        Thread first = publishing("a1", end);
        ground.told.await("not yet");
        first.interrupt();
        assertTrue(first.join(Duration.ofSeconds(20)));
        assertEquals("stopped", end.get());
        ground.fuse().kill();
        ground.restart();
        ground.plugin.script("NodePublishVolume", Behaviour.ok());
        ground.plugin.clearCalls();
        Path target = ground.publish("a1", "ext-1", Ground.SHARED).path();
        Files.writeString(target.resolve("f"), "alive");
        assertEquals(
                List.of("NodeUnpublishVolume", "NodeUnstageVolume", "NodeStageVolume", "NodePublishVolume"),
                ground.calls());
        ground.unpublish("a1");
        ground.assertNothingLeft();
    }

    @Test
    void anAgentThatDiesWhileItMountsAnew_isFollowedByOneThatEndsIt() throws Exception {
        policy(MountLoss.REMOUNT);
        Path first = ground.publish("a1", "ext-1", Ground.SHARED).path();
        Path second = ground.publish("a2", "ext-1", Ground.SHARED).path();
        Files.writeString(first.resolve("f"), "kept");
        ground.fuse().kill();
        // The agent came to undo what a1 had, and no further.
        ground.unpublish("a1");
        ground.restart();
        AtomicReference<Object> end = new AtomicReference<>();
        Thread mounting = publishing("a1", end);
        ground.told.await("allocation a2");
        look();
        assertEquals(List.of("a2 data REMOUNT"), lost);
        ground.volumes.remount(Ground.claim("a2", "ext-1", Ground.SHARED), ground.told);
        assertTrue(mounting.join(Duration.ofSeconds(40)));
        assertEquals(first, end.get());
        assertEquals("kept", Files.readString(first.resolve("f")));
        assertEquals("kept", Files.readString(second.resolve("f")));
        ground.unpublish("a1");
        ground.unpublish("a2");
        ground.assertNothingLeft();
    }

    @Test
    void aLiveMount_isNotMountedAnew() throws Exception {
        policy(MountLoss.REMOUNT);
        ground.publish("a1", "ext-1", Ground.SINGLE);
        ground.plugin.clearCalls();
        ground.volumes.remount(Ground.claim("a1", "ext-1", Ground.SINGLE), ground.told);
        assertEquals(List.of(), ground.calls());
        ground.unpublish("a1");
        ground.assertNothingLeft();
    }

    @Test
    void aMountThatHangs_isSaidAndHoldsUpNothingElse() throws Exception {
        policy(MountLoss.RESTART_TASKS);
        ground.pathCall = Duration.ofMillis(500);
        ground.restart();
        ground.publish("a1", "ext-1", Ground.SINGLE);
        ground.publish("a2", "ext-2", Ground.SINGLE);
        ground.fuse().freeze();
        look();
        look();
        assertEquals(List.of("Mount hangs", "Mount hangs"), told());
        assertEquals(List.of(), lost, "it may come back");
        // Directories, mount table and sweeper ask nobody behind a mount.
        assertEquals(List.of(), ground.sweeper.sweep(List::of).left());
        assertEquals(List.of(), ground.sweeper.unclear());
        assertTrue(ground.volumes.published("a1", "data").isPresent());
        ground.plugin.addVolume("ext-3", 1);
        ground.publish("a3", "ext-3", Ground.SINGLE);
        ground.unpublish("a3");
        ground.fuse().thaw();
        look();
        assertTrue(told().contains("Mount answers again"), told().toString());
        ground.unpublish("a1");
        ground.unpublish("a2");
        ground.assertNothingLeft();
    }

    /** The words that it is dead stayed for ever. */
    @Test
    void aDeadMountThatItsPluginReplaced_isNotSaidToBeDeadAnyMore() throws Exception {
        policy(MountLoss.ALERT);
        Path target = ground.publish("a1", "ext-1", Ground.SINGLE).path();
        ground.fuse().kill();
        look();
        ground.fuse().heal();
        look();
        assertEquals(Optional.empty(), ground.volumes.broken("a1", "data"));
        assertEquals(List.of("Mount lost", "Mount restored"), told());
        Files.writeString(target.resolve("f"), "alive");
        ground.unpublish("a1");
        ground.assertNothingLeft();
    }

    /** Nobody was told, and who uses it kept what is dead. */
    @Test
    void aTargetThatVanished_isSaidAndMountedAnew() throws Exception {
        policy(MountLoss.REMOUNT);
        Path target = ground.publish("a1", "ext-1", Ground.SINGLE).path();
        Files.writeString(target.resolve("f"), "kept");
        Mounts.linux().detach(target);
        look();
        Instant since = broken("a1").since();
        look();
        assertEquals(since, broken("a1").since());
        assertEquals(List.of("Mount lost"), told());
        assertEquals(broken("a1").holder(), last().details().get("error"));
        assertEquals(List.of("a1 data REMOUNT"), lost);
        assertTrue(
                broken("a1").holder().contains("nothing is mounted"),
                broken("a1").holder());
        ground.volumes.remount(Ground.claim("a1", "ext-1", Ground.SINGLE), ground.told);
        look();
        assertEquals("kept", Files.readString(target.resolve("f")));
        assertEquals(List.of("Mount lost", "Mount restored"), told());
        assertEquals(Map.of("volume_id", "ext-1-name"), last().details());
        assertEquals(Optional.empty(), ground.volumes.broken("a1", "data"));
        ground.unpublish("a1");
        ground.assertNothingLeft();
    }

    private NodeEvent last() {
        return ground.news.node.stream().reduce((one, next) -> next).orElseThrow();
    }

    @Test
    void whileOneMountHangs_theOthersOfItsPluginAreLookedAt() throws Exception {
        policy(MountLoss.REMOUNT);
        // A mount that is well answers within it, also on a busy machine.
        ground.pathCall = Duration.ofSeconds(1);
        ground.restart();
        for (int i = 1; i <= 6; i++) {
            ground.plugin.addVolume("ext-" + i, 1);
            ground.publish("a" + i, "ext-" + i, Ground.SINGLE);
        }
        ground.fuse().freeze("ext-1");
        ground.fuse().kill("ext-2");
        look();
        assertEquals(
                List.of("Mount hangs", "Mount lost"), told().stream().sorted().toList());
        // So many hang that one look does not come to all: the next ones do.
        for (int i = 3; i <= 5; i++) {
            ground.fuse().freeze("ext-" + i);
        }
        look();
        assertEquals(3, count("Mount hangs"), "two more, of three");
        ground.fuse().kill("ext-6");
        look();
        look();
        look();
        assertEquals(4, count("Mount hangs"));
        assertEquals(List.of("a2 data REMOUNT", "a6 data REMOUNT"), lost);
        ground.fuse().thaw();
        look();
        assertEquals(4, count("Mount answers again"));
        for (int i = 1; i <= 6; i++) {
            ground.unpublish("a" + i);
        }
        ground.assertNothingLeft();
    }

    @Test
    void anUnknownMountThatHangsBelowTheRoot_isNamedAndTheSweepEnds() throws Exception {
        ground.pathCall = Duration.ofMillis(500);
        ground.restart();
        Path staged = ground.publish("a1", "ext-1", Ground.SINGLE).path();
        Path unknown = Files.createDirectories(ground.hostRoot.resolve("per-alloc/lost/v/rw"));
        Mounts.linux().bind(staged, unknown);
        ground.fuse().freeze();
        ground.sweeper.sweep(List::of);
        assertEquals(1, ground.sweeper.unclear().size());
        assertTrue(
                ground.sweeper.unclear().getFirst().contains(unknown.toString()),
                ground.sweeper.unclear().toString());
        ground.fuse().thaw();
        Mounts.linux().unmount(unknown);
        ground.sweeper.sweep(List::of);
        assertEquals(List.of(), ground.sweeper.unclear());
        assertFalse(Files.exists(unknown));
        ground.unpublish("a1");
        ground.assertNothingLeft();
    }
}
