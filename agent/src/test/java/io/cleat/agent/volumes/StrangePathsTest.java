package io.cleat.agent.volumes;

import static io.cleat.agent.volumes.Ground.SHARED;
import static io.cleat.agent.volumes.Ground.SINGLE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Deadline;
import io.cleat.base.Effect;
import io.cleat.base.KernelTrouble;
import io.cleat.base.SystemTime;
import io.cleat.base.Time;
import io.cleat.base.Trouble;
import io.cleat.kernel.MountTable;
import io.cleat.kernel.Mounts;
import io.cleat.model.BlockedBy;
import io.cleat.testkit.Behaviour;
import io.cleat.testkit.FakeCsiSetup;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Condition;
import org.junit.jupiter.api.Test;

/** What lies where only our directories and mounts should. */
class StrangePathsTest extends OnGround {
    StrangePathsTest() throws Exception {}

    /** The directory itself is only removed empty. */
    @Test
    void whatLiesInATargetThatIsNoMountStays() throws Exception {
        ground.close();
        ground = Ground.make(FakeCsiSetup.standard().withCapabilities(Set.of(), Set.of()));
        ground.publish("a1", "ext-1", SINGLE);
        Path target = ground.target("a1", "ext-1-name", SINGLE);
        Mounts.linux().unmount(target);
        Files.writeString(target.resolve("canary"), "alive");
        ground.plugin.script("NodeUnpublishVolume", Behaviour.lie());
        ground.unpublish("a1");
        assertEquals("alive", Files.readString(target.resolve("canary")));
        assertTrue(ground.news.volume.stream()
                .anyMatch(event ->
                        event.call().equals("remove") && event.message().contains("ENOTEMPTY")));
        assertEquals(List.of(), ground.journal.volumes());
        assertEquals(1, ground.sweeper.sweep(List::of).left().size());
        assertEquals("alive", Files.readString(target.resolve("canary")));
    }

    @Test
    void aStagingStaysWhileAMountOfUnknownUseShowsItsFiles() throws Exception {
        ground.publish("a1", "ext-1", SHARED);
        Path unknown = Files.createDirectories(ground.hostRoot.resolve("per-alloc/lost/v/rw"));
        Mounts.linux().bind(ground.staging("ext-1-name"), unknown);
        Thread stopping =
                ground.threads.vitalWork("test/stop", () -> ground.volumes.unpublish("a1", "data", ground.told));
        BlockedBy told = awaitWait();
        assertTrue(told.holder().contains(unknown.toString()), told.holder());
        assertEquals(List.of(), ground.plugin.calls("NodeUnstageVolume"));
        assertFalse(ground.sweeper.unclear().isEmpty());
        assertEquals(1, ground.sweeper.sweep(List::of).strangers().size());
        assertEquals(1, ground.news.factsChanges.get(), "the server is told of it");
        Mounts.linux().unmount(unknown);
        join(stopping);
        ground.sweeper.sweep(List::of);
        assertEquals(List.of(), ground.sweeper.unclear());
        ground.sweeper.sweep(List::of);
        assertEquals(2, ground.news.factsChanges.get(), "and that it is gone, once");
        ground.assertNothingLeft();
    }

    @Test
    void aLinkWhereADirectoryIsExpectedIsRefusedAndWhatIsBehindItSurvives() throws Exception {
        Path canary = Files.createDirectory(ground.directory.resolve("canary"));
        Files.writeString(canary.resolve("f"), "alive");
        Path namespace = Files.createDirectories(ground.hostRoot.resolve("staging/default"));
        Files.createSymbolicLink(namespace.resolve("ext-1-name"), canary);
        Trouble trouble = assertThrows(Trouble.class, () -> ground.publish("a1", "ext-1", SINGLE));
        assertTrue(trouble.reason().contains("staging/default/ext-1-name"), trouble.reason());
        assertEquals(Effect.NONE, trouble.effect());
        assertEquals(List.of(), ground.calls());
        assertEquals("alive", Files.readString(canary.resolve("f")));
        assertTrue(Files.isSymbolicLink(namespace.resolve("ext-1-name")));
        assertEquals(List.of(), ground.journal.volumes());
        assertTrue(ground.sweeper.sweep(List::of).left().getFirst().contains("ext-1-name"));
        assertEquals("alive", Files.readString(canary.resolve("f")));
    }

    @Test
    void aLinkWhereTheTargetIsToBeIsRefusedBeforeAnythingIsSent() throws Exception {
        Path canary = Files.createDirectory(ground.directory.resolve("canary"));
        Files.writeString(canary.resolve("f"), "alive");
        Path target = ground.target("a1", "ext-1-name", SINGLE);
        Files.createDirectories(Objects.requireNonNull(target.getParent()));
        Files.createSymbolicLink(target, canary);
        Trouble trouble = assertThrows(Trouble.class, () -> ground.publish("a1", "ext-1", SINGLE));
        assertTrue(trouble.reason().contains(target + " is a link"), trouble.reason());
        assertEquals(Effect.NONE, trouble.effect());
        assertEquals(List.of(), ground.calls());
        assertEquals(List.of(), ground.journal.volumes());
        assertEquals("alive", Files.readString(canary.resolve("f")));
        assertTrue(Files.isSymbolicLink(target));
    }

    @Test
    void aTargetThatBecomesALinkWhileItsVolumeIsStaged_isNotShownToThePlugin() throws Exception {
        Path canary = Files.createDirectory(ground.directory.resolve("canary"));
        Files.writeString(canary.resolve("f"), "alive");
        CountDownLatch gate = new CountDownLatch(1);
        ground.plugin.script("NodeStageVolume", Behaviour.waitFor(gate));
        AtomicReference<Object> end = new AtomicReference<>();
        Thread publishing = publishing("a1", "ext-1", SINGLE, end);
        ground.plugin.awaitCalls("NodeStageVolume", 1, SOON);
        Path target = ground.target("a1", "ext-1-name", SINGLE);
        Files.createSymbolicLink(target, canary);
        gate.countDown();
        join(publishing);
        Trouble refused = assertInstanceOf(Trouble.class, end.get());
        assertTrue(refused.reason().contains(target + " is a link"), refused.reason());
        assertEquals(List.of("NodeStageVolume"), ground.calls());
        assertEquals("alive", Files.readString(canary.resolve("f")));
        Files.delete(target);
        ground.unpublish("a1");
        ground.assertNothingLeft();
    }

    @Test
    void aTargetThatBecameALinkIsNotShownToThePlugin() throws Exception {
        Publication publication = ground.publish("a1", "ext-1", SINGLE);
        Path canary = Files.createDirectory(ground.directory.resolve("canary"));
        Files.writeString(canary.resolve("f"), "alive");
        Mounts.linux().unmount(publication.path());
        Files.delete(publication.path());
        Files.createSymbolicLink(publication.path(), canary);
        Thread stopping =
                ground.threads.vitalWork("test/stop", () -> ground.volumes.unpublish("a1", "data", ground.told));
        BlockedBy told = awaitWait();
        assertTrue(told.holder().contains("is a link"), told.holder());
        assertEquals(List.of(), ground.plugin.calls("NodeUnpublishVolume"));
        Files.delete(publication.path());
        join(stopping);
        assertEquals("alive", Files.readString(canary.resolve("f")));
    }

    @Test
    void aStagingThatBecameALinkIsNotShownToThePlugin() throws Exception {
        ground.publish("a1", "ext-1", SINGLE);
        Path staging = ground.staging("ext-1-name");
        Path canary = Files.createDirectory(ground.directory.resolve("canary"));
        Files.writeString(canary.resolve("f"), "alive");
        Mounts.linux().unmount(staging);
        Files.delete(staging);
        Files.createSymbolicLink(staging, canary);
        ground.plugin.forget(staging);
        Thread stopping =
                ground.threads.vitalWork("test/stop", () -> ground.volumes.unpublish("a1", "data", ground.told));
        BlockedBy told = ground.told.await("is a link");
        assertEquals("unstage", told.step());
        assertEquals(List.of(), ground.plugin.calls("NodeUnstageVolume"));
        Files.delete(staging);
        join(stopping);
        assertEquals("alive", Files.readString(canary.resolve("f")));
        ground.assertNothingLeft();
    }

    @Test
    void aFileOrAnotherUsersDirectoryOnTheWayIsRefused() throws Exception {
        Files.createDirectories(ground.hostRoot);
        Files.writeString(ground.hostRoot.resolve("per-alloc"), "not a directory");
        Trouble file = assertThrows(Trouble.class, () -> ground.publish("a1", "ext-1", SINGLE));
        assertTrue(file.reason().contains("per-alloc"), file.reason());
        assertEquals("not a directory", Files.readString(ground.hostRoot.resolve("per-alloc")));

        Files.delete(ground.hostRoot.resolve("per-alloc"));
        Path foreign = Files.createDirectory(ground.hostRoot.resolve("per-alloc"));
        Files.setAttribute(foreign, "unix:uid", 1234);
        Trouble owner = assertThrows(Trouble.class, () -> ground.publish("a1", "ext-1", SINGLE));
        assertTrue(owner.reason().contains("belongs to user 1234"), owner.reason());
        assertEquals(List.of(), ground.calls());
    }

    @Test
    void aMountThatWeDidNotMakeIsRefusedAndStays() throws Exception {
        Path staging = Files.createDirectories(ground.staging("ext-1-name"));
        Mounts.linux().mount("stranger", staging, "tmpfs", Set.of(), "size=64k");
        Trouble trouble = assertThrows(Trouble.class, () -> ground.publish("a1", "ext-1", SINGLE));
        assertTrue(trouble.reason().contains("stranger"), trouble.reason());
        assertEquals(List.of(), ground.calls());
        assertTrue(MountTable.read().at(staging).isPresent());
        assertEquals(List.of(), ground.journal.volumes());
        assertTrue(ground.news.volume.stream()
                .anyMatch(event -> event.message().contains("mounted, not by us; it stays")));
        ground.sweeper.sweep(List::of);
        assertFalse(ground.sweeper.unclear().isEmpty());
    }

    /** It is neither mounted over, nor taken for the volume and unmounted at the end. */
    @Test
    void aMountThatWeDidNotMakeAtATargetIsRefusedAndStays() throws Exception {
        Path target = Files.createDirectories(ground.target("a1", "ext-1-name", SINGLE));
        Mounts.linux().mount("stranger", target, "tmpfs", Set.of(), "size=64k");
        Trouble trouble = assertThrows(Trouble.class, () -> ground.publish("a1", "ext-1", SINGLE));
        assertTrue(trouble.reason().contains("stranger"), trouble.reason());
        assertEquals(Effect.NONE, trouble.effect());
        assertEquals(List.of(), ground.calls());
        assertTrue(MountTable.read().at(target).isPresent());
        assertEquals(List.of(), ground.journal.volumes());
        assertTrue(ground.news.volume.stream().anyMatch(event -> event.message().contains("is not ours; it stays")));
    }

    /** Else a node that is clear again waits for minutes until it is given a volume. */
    @Test
    void aNodeThatIsNotClear_isSweptAgainSoon() throws Exception {
        Path staging = Files.createDirectories(ground.staging("ext-1-name"));
        Mounts.linux().mount("stranger", staging, "tmpfs", Set.of(), "size=64k");
        List<Duration> pauses = new CopyOnWriteArrayList<>();
        ground.time = new Pausing(pause -> {
            pauses.add(pause);
            if (pauses.size() == 2) {
                throw new InterruptedException();
            }
            unmount(staging);
        });
        ground.restart();
        join(ground.sweeper.start(ground.threads, List::of));
        assertEquals(List.of(Duration.ofSeconds(10), Duration.ofMinutes(5)), pauses);
    }

    private static void unmount(Path path) {
        try {
            Mounts.linux().unmount(path);
        } catch (KernelTrouble stays) {
            throw new AssertionError(stays);
        }
    }

    /** What is done instead of a sleep. */
    private interface Pause {
        void sleep(Duration duration) throws InterruptedException;
    }

    /** The machine's clock, and no sleep. */
    private record Pausing(Pause pause) implements Time {
        private static final Time REAL = new SystemTime();

        @Override
        public Instant now() {
            return REAL.now();
        }

        @Override
        public long nanos() {
            return REAL.nanos();
        }

        @Override
        public void sleep(Duration duration) throws InterruptedException {
            pause.sleep(duration);
        }

        @Override
        public boolean await(Condition condition, Deadline deadline) throws InterruptedException {
            return REAL.await(condition, deadline);
        }
    }
}
