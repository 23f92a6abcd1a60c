package io.cleat.agent.volumes;

import static io.cleat.agent.volumes.Ground.READERS;
import static io.cleat.agent.volumes.Ground.SHARED;
import static io.cleat.agent.volumes.Ground.SINGLE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Effect;
import io.cleat.base.Trouble;
import io.cleat.csi.v1.NodePublishVolumeRequest;
import io.cleat.csi.v1.NodeStageVolumeRequest;
import io.cleat.kernel.BootId;
import io.cleat.kernel.MountTable;
import io.cleat.kernel.Mounts;
import io.cleat.model.BlockedBy;
import io.cleat.model.VolumeId;
import io.cleat.model.VolumeModes;
import io.cleat.testkit.Behaviour;
import io.cleat.testkit.Eventually;
import io.cleat.testkit.FakeCsiSetup;
import io.cleat.wire.ToServer.VolumePhase;
import io.grpc.Status;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class MountedVolumesTest {
    private static final Duration SOON = Duration.ofSeconds(20);

    private Ground ground;

    MountedVolumesTest() throws Exception {
        ground = Ground.make();
    }

    @AfterEach
    void clear() throws Exception {
        ground.close();
    }

    private BlockedBy awaitWait() throws InterruptedException {
        return Objects.requireNonNull(
                ground.told.waits.poll(SOON.toSeconds(), TimeUnit.SECONDS), "no wait was told");
    }

    /** Publishes in the background; the thread's end is awaited with {@link #join}. */
    private Thread publishing(
            String alloc, String volume, VolumeModes modes, AtomicReference<Object> end) {
        return ground.threads.start(
                "test/" + alloc,
                () -> {
                    try {
                        end.set(
                                ground.volumes.publish(
                                        Ground.claim(alloc, volume, modes), ground.told));
                    } catch (Trouble trouble) {
                        end.set(trouble);
                    }
                });
    }

    private static void join(Thread thread) throws InterruptedException {
        assertTrue(thread.join(SOON), "it did not end");
    }

    @Test
    void mountsAtTheFixedPathsForItsOwnerOnlyAndLeavesNothing() throws Exception {
        Publication publication = ground.publish("a1", "ext-1", SINGLE);
        Path target =
                ground.hostRoot.resolve(
                        "per-alloc/a1/ext-1-name/rw-file-system-single-node-writer");
        assertEquals(target, publication.path());
        assertEquals(
                List.of(ground.staging("ext-1-name").toString(), target.toString()),
                ground.mounted());
        for (Path made = Objects.requireNonNull(target.getParent());
                !made.equals(ground.directory);
                made = Objects.requireNonNull(made.getParent())) {
            assertEquals(
                    "rwx------",
                    PosixFilePermissions.toString(Files.getPosixFilePermissions(made)),
                    made.toString());
        }
        Files.writeString(target.resolve("f"), "data");
        assertEquals(Map.of("data", VolumePhase.PUBLISHED), ground.volumes.phases("a1"));

        ground.unpublish("a1");
        assertEquals(
                List.of(
                        "NodeStageVolume",
                        "NodePublishVolume",
                        "NodeUnpublishVolume",
                        "NodeUnstageVolume"),
                ground.calls());
        ground.assertNothingLeft();
        assertEquals("data", Files.readString(ground.storage.files("ext-1").resolve("f")));
        assertEquals(Map.of(), ground.volumes.phases("a1"));
        assertEquals(
                List.of("Mount volume true", "Unmount volume true"),
                ground.news.node.stream()
                        .map(event -> event.message() + " " + event.details().get("success"))
                        .toList());
        assertEquals("ext-1-name", ground.news.node.getFirst().details().get("volume_id"));
        assertEquals(
                List.of(
                        "NodeStageVolume OK",
                        "NodePublishVolume OK",
                        "NodeUnpublishVolume OK",
                        "NodeUnstageVolume OK"),
                ground.news.volume.stream()
                        .map(event -> event.call() + " " + event.code())
                        .toList());
    }

    @Test
    void contextSecretsAndOptionsGoWithEachStageAndPublishCall() throws Exception {
        ground.publish("a1", "ext-1", SHARED);
        ground.publish("a2", "ext-1", SHARED);
        var stage =
                (NodeStageVolumeRequest)
                        ground.plugin.calls("NodeStageVolume").getFirst().request();
        assertEquals(Map.of("lun", "42"), stage.getPublishContextMap());
        assertEquals(Map.of("key", "hunter2"), stage.getSecretsMap());
        assertEquals(Map.of("pool", "p1"), stage.getVolumeContextMap());
        assertEquals(
                List.of("noatime"), stage.getVolumeCapability().getMount().getMountFlagsList());
        for (var call : ground.plugin.calls("NodePublishVolume")) {
            var publish = (NodePublishVolumeRequest) call.request();
            assertEquals(Map.of("lun", "42"), publish.getPublishContextMap());
            assertEquals(Map.of("key", "hunter2"), publish.getSecretsMap());
            assertEquals(stage.getStagingTargetPath(), publish.getStagingTargetPath());
            assertEquals(stage.getVolumeCapability(), publish.getVolumeCapability());
        }
        assertFalse(
                Files.readString(
                                ground.directory.resolve("volumes.journal"),
                                StandardCharsets.ISO_8859_1)
                        .contains("hunter2"),
                "no secret in the journal");
    }

    /** One staging, made once, gone with its last user. */
    @Test
    void usersOfOneVolumeShareItsStaging() throws Exception {
        ground.publish("a1", "ext-1", SHARED);
        ground.publish("a2", "ext-1", SHARED);
        assertEquals(1, ground.plugin.calls("NodeStageVolume").size());
        ground.unpublish("a1");
        assertEquals(List.of(), ground.plugin.calls("NodeUnstageVolume"));
        assertTrue(ground.volumes.published("a2", "data").isPresent());
        ground.unpublish("a2");
        assertEquals(1, ground.plugin.calls("NodeUnstageVolume").size());
        ground.assertNothingLeft();
    }

    /** nomad#25813: the count of users was lost with the agent. */
    @Test
    void nomad25813AfterARestartTheOtherUsersStagingStays() throws Exception {
        ground.publish("a1", "ext-1", SHARED);
        Publication other = ground.publish("a2", "ext-1", SHARED);
        Files.writeString(other.path().resolve("f"), "data");
        ground.plugins.vanish(Ground.PLUGIN);
        ground.restart();
        assertEquals(Optional.of(other), ground.volumes.published("a2", "data"));
        ground.appear();
        ground.unpublish("a1");
        assertEquals(List.of(), ground.plugin.calls("NodeUnstageVolume"));
        assertEquals("data", Files.readString(other.path().resolve("f")));
        ground.unpublish("a2");
        ground.assertNothingLeft();
    }

    /** kubernetes#82426: a timeout was taken for a failure, and the directory went. */
    @Test
    void kubernetes82426AfterATimeoutTheSameCallIsMadeAgainAndNothingIsCleanedUp()
            throws Exception {
        ground.plugin.script("NodeStageVolume", Behaviour.hang(), Behaviour.hang(), Behaviour.ok());
        Thread waiting = publishing("a1", "ext-1", SINGLE, new AtomicReference<>());
        BlockedBy told = awaitWait();
        assertEquals("stage", told.step());
        assertTrue(told.holder().contains("DeadlineExceeded"), told.holder());
        assertTrue(told.nextTry() != null && !told.nextTry().isBefore(told.since()));
        assertTrue(Files.isDirectory(ground.staging("ext-1-name")));
        join(waiting);
        var calls = ground.plugin.calls("NodeStageVolume");
        assertEquals(3, calls.size());
        assertEquals(1, calls.stream().map(call -> call.request()).distinct().count());
        assertEquals(List.of(), ground.plugin.calls("NodeUnstageVolume"));
        assertTrue(ground.volumes.published("a1", "data").isPresent());
    }

    /** kubernetes#7317: an unmount failed, and a recursive removal followed. */
    @Test
    void kubernetes7317WhatCannotBeUnmountedKeepsItsData() throws Exception {
        Publication publication = ground.publish("a1", "ext-1", SINGLE);
        Files.writeString(publication.path().resolve("canary"), "alive");
        ground.plugin.script(
                "NodeUnpublishVolume",
                Behaviour.refuse(Status.Code.INTERNAL, "device is busy"),
                Behaviour.refuse(Status.Code.FAILED_PRECONDITION, "still busy"),
                Behaviour.lie(),
                Behaviour.ok());
        ground.unpublish("a1");
        assertEquals(4, ground.plugin.calls("NodeUnpublishVolume").size());
        ground.assertNothingLeft();
        assertEquals("alive", Files.readString(ground.storage.files("ext-1").resolve("canary")));
    }

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
        assertTrue(
                ground.news.volume.stream()
                        .anyMatch(
                                event ->
                                        event.call().equals("rmdir")
                                                && event.message().contains("ENOTEMPTY")));
        assertEquals(List.of(), ground.journal.volumes());
        assertEquals(1, ground.sweeper.sweep(List::of).left().size());
        assertEquals("alive", Files.readString(target.resolve("canary")));
    }

    /** nomad#19440: the restart of a plugin took the mounts of its consumers. */
    @Test
    void nomad19440ARestartOfThePluginLeavesMountsAlone() throws Exception {
        Publication publication = ground.publish("a1", "ext-1", SINGLE);
        Files.writeString(publication.path().resolve("f"), "data");
        ground.plugin.crash();
        ground.plugins.vanish(Ground.PLUGIN);
        ground.sweeper.sweep(List::of);
        assertEquals("data", Files.readString(publication.path().resolve("f")));
        ground.plugin.restart(ground.setup);
        ground.appear();
        assertEquals(publication, ground.publish("a1", "ext-1", SINGLE));
        assertEquals(List.of("NodeStageVolume", "NodePublishVolume"), ground.calls());
    }

    /** nomad#18741: one staging path for two namespaces. */
    @Test
    void nomad18741VolumesOfTheSameNameInTwoNamespacesHaveTwoStagings() throws Exception {
        ground.volumes.publish(
                Ground.claim("a1", "ext-1", SINGLE, new VolumeId("default", "db")), ground.told);
        ground.volumes.publish(
                Ground.claim("a2", "ext-2", SINGLE, new VolumeId("prod", "db")), ground.told);
        assertEquals(
                Set.of(
                        ground.hostRoot.resolve("staging/default/db").toString(),
                        ground.hostRoot.resolve("staging/prod/db").toString()),
                ground.plugin.staged().keySet());
        ground.unpublish("a1");
        assertTrue(ground.volumes.published("a2", "data").isPresent());
    }

    /** democratic-csi#536: unstaging said OK and left the mount, day after day. */
    @Test
    void democraticCsi536AStagingThatStaysMountedIsUnstagedAgain() throws Exception {
        ground.publish("a1", "ext-1", SINGLE);
        ground.plugin.script("NodeUnstageVolume", Behaviour.lie(), Behaviour.lie(), Behaviour.ok());
        ground.unpublish("a1");
        assertEquals(3, ground.plugin.calls("NodeUnstageVolume").size());
        assertTrue(
                ground.news.volume.stream()
                        .anyMatch(event -> event.message().contains("is still mounted")));
        ground.assertNothingLeft();
    }

    @Test
    void aPluginThatPublishesNothingAndSaysOkIsCaughtSaidAndAskedAgain() throws Exception {
        ground.plugin.script("NodePublishVolume", Behaviour.lie(), Behaviour.lie(), Behaviour.ok());
        ground.publish("a1", "ext-1", SINGLE);
        assertEquals(3, ground.plugin.calls("NodePublishVolume").size());
        assertEquals(
                2,
                ground.news.node.stream()
                        .filter(e -> "false".equals(e.details().get("success")))
                        .count());
        String error = String.valueOf(ground.news.node.getFirst().details().get("error"));
        assertTrue(error.contains("answered OK") && error.contains("nothing is mounted"), error);
    }

    @Test
    void notFoundIsNotBelievedWhileItIsMounted() throws Exception {
        ground.publish("a1", "ext-1", SINGLE);
        ground.plugin.script(
                "NodeUnpublishVolume", Behaviour.refuse(Status.Code.NOT_FOUND, "no such volume"));
        ground.plugin.script(
                "NodeUnstageVolume", Behaviour.refuse(Status.Code.NOT_FOUND, "no such volume"));
        ground.unpublish("a1");
        assertEquals(List.of(), ground.mounted());
        assertEquals(List.of(), ground.entries());
        assertEquals(List.of(), ground.journal.volumes());
        assertEquals(
                2,
                ground.news.volume.stream()
                        .filter(event -> event.message().contains("the agent unmounted it"))
                        .count());
    }

    @Test
    void aPluginThatRestartsBetweenStageAndPublishIsWaitedFor() throws Exception {
        ground.plugin.script("NodePublishVolume", Behaviour.crash(), Behaviour.ok());
        Thread waiting = publishing("a1", "ext-1", SINGLE, new AtomicReference<>());
        assertEquals("publish", awaitWait().step());
        ground.plugins.vanish(Ground.PLUGIN);
        BlockedBy told = awaitWait();
        while (!told.holder().contains("does not run")) {
            told = awaitWait();
        }
        assertTrue(told.holder().contains("\"" + Ground.PLUGIN + "\""), told.holder());
        assertTrue(told.hint().contains("plugin status"), told.hint());
        ground.plugin.restart(ground.setup);
        ground.appear();
        join(waiting);
        assertTrue(ground.volumes.published("a1", "data").isPresent());
        assertEquals(1, ground.plugin.calls("NodeStageVolume").size());
    }

    @Test
    void aRefusalAfterAnUnknownTryIsUndoneByTheInverseCalls() throws Exception {
        // It timed out, and did its work all the same; then it refuses.
        ground.plugin.script(
                "NodePublishVolume",
                Behaviour.doThen(Behaviour.hang()),
                Behaviour.refuse(Status.Code.FAILED_PRECONDITION, "no more of this"));
        ground.plugin.script("NodeUnpublishVolume", Behaviour.hang(), Behaviour.ok());
        Trouble trouble = assertThrows(Trouble.class, () -> ground.publish("a1", "ext-1", SINGLE));
        assertTrue(trouble.reason().contains("no more of this"), trouble.reason());
        // The first inverse call is unknown too: so is the whole, and the journal still owes.
        assertEquals(Effect.UNKNOWN, trouble.effect());
        assertEquals(Map.of("data", VolumePhase.UNMOUNTING), ground.volumes.phases("a1"));
        ground.unpublish("a1");
        ground.assertNothingLeft();
    }

    @Test
    void aRefusalLeavesNothingOfThisClaimAndAllOfTheOthers() throws Exception {
        Publication other = ground.publish("a1", "ext-1", SHARED);
        ground.plugin.script(
                "NodePublishVolume",
                Behaviour.refuse(Status.Code.INVALID_ARGUMENT, "not like this"));
        Trouble trouble = assertThrows(Trouble.class, () -> ground.publish("a2", "ext-1", SHARED));
        assertEquals(Effect.NONE, trouble.effect());
        assertEquals(Optional.of(other), ground.volumes.published("a1", "data"));
        assertEquals(Map.of(), ground.volumes.phases("a2"));
        assertEquals(List.of(), ground.plugin.calls("NodeUnstageVolume"));
        assertFalse(Files.exists(ground.hostRoot.resolve("per-alloc/a2")));

        ground.plugin.script(
                "NodeStageVolume", Behaviour.refuse(Status.Code.INVALID_ARGUMENT, "nor this"));
        assertThrows(Trouble.class, () -> ground.publish("a3", "ext-2", SINGLE));
        assertEquals(1, ground.plugin.calls("NodeUnstageVolume").size());
        ground.plugin.script("NodeUnpublishVolume", Behaviour.ok());
        ground.unpublish("a1");
        ground.assertNothingLeft();
    }

    @Test
    void aVolumeMountedForWritingThoughReadingWasAskedIsRefusedAndUndone() throws Exception {
        ground.storage.ignoreReadOnly();
        GrantedClaim claim = Ground.reading(Ground.claim("a1", "ext-1", READERS));
        Trouble refusal =
                assertThrows(Trouble.class, () -> ground.volumes.publish(claim, ground.told));
        assertTrue(refusal.reason().contains("for writing"), refusal.reason());
        assertEquals(Effect.NONE, refusal.effect());
        ground.assertNothingLeft();
    }

    @Test
    void aVolumeMountedReadOnlyThoughWritingWasAskedIsRefusedAndUndone() throws Exception {
        ground.storage.alwaysReadOnly();
        Trouble refusal = assertThrows(Trouble.class, () -> ground.publish("a1", "ext-1", SINGLE));
        assertTrue(refusal.reason().contains("read-only"), refusal.reason());
        ground.assertNothingLeft();
        // A reader may be given a read-only mount also where it did not ask for one.
        ground.publish("a2", "ext-1", READERS);
        ground.unpublish("a2");
    }

    @Test
    void aStopWhileAStageCallHangsUndoesWhatWasBegun() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        ground.plugin.script("NodeStageVolume", Behaviour.waitFor(never));
        Thread hanging = publishing("a1", "ext-1", SINGLE, new AtomicReference<>());
        ground.plugin.awaitCalls("NodeStageVolume", 1, SOON);
        hanging.interrupt();
        join(hanging);
        assertEquals(Map.of("data", VolumePhase.MOUNTING), ground.volumes.phases("a1"));
        ground.unpublish("a1");
        assertEquals(List.of("NodeStageVolume", "NodeUnstageVolume"), ground.calls());
        ground.assertNothingLeft();
    }

    @Test
    void otherVolumesGoOnWhileOneHangs() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        ground.plugin.script("NodeStageVolume", Behaviour.waitFor(gate), Behaviour.ok());
        Thread hanging = publishing("a1", "ext-1", SINGLE, new AtomicReference<>());
        ground.plugin.awaitCalls("NodeStageVolume", 1, SOON);
        ground.publish("a2", "ext-2", SINGLE);
        gate.countDown();
        join(hanging);
        assertTrue(ground.volumes.published("a1", "data").isPresent());
    }

    @Test
    void oneVolumesCallsAreSerialAndItsUsersAreToldWhoIsAtIt() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        ground.plugin.script("NodePublishVolume", Behaviour.waitFor(gate), Behaviour.ok());
        Thread first = publishing("a1", "ext-1", SHARED, new AtomicReference<>());
        ground.plugin.awaitCalls("NodePublishVolume", 1, SOON);
        Thread second = publishing("a2", "ext-1", SHARED, new AtomicReference<>());
        assertTrue(awaitWait().holder().contains("allocation a1"));
        gate.countDown();
        join(first);
        join(second);
        assertEquals(1, ground.plugin.mostAtOnce("ext-1"));
    }

    @Test
    void waitsForAPluginAndSaysSo() throws Exception {
        ground.plugins.vanish(Ground.PLUGIN);
        Thread waiting = publishing("a1", "ext-1", SINGLE, new AtomicReference<>());
        assertTrue(awaitWait().holder().contains(Ground.PLUGIN));
        assertEquals(List.of(), ground.journal.volumes());
        long appeared = System.nanoTime();
        ground.appear();
        join(waiting);
        assertTrue(
                Duration.ofNanos(System.nanoTime() - appeared).compareTo(Duration.ofSeconds(10))
                        < 0);
    }

    @Test
    void aStagingThatDoesNotCoverAnotherUsageIsWaitedFor() throws Exception {
        ground.publish("a1", "ext-1", READERS);
        Thread waiting = publishing("a2", "ext-1", SHARED, new AtomicReference<>());
        BlockedBy told = awaitWait();
        assertEquals("stage", told.step());
        assertTrue(told.holder().contains("allocation a1"), told.holder());
        assertTrue(told.holder().contains("multi-node-reader-only"), told.holder());
        ground.unpublish("a1");
        join(waiting);
        assertEquals(2, ground.plugin.calls("NodeStageVolume").size());
        // A reader can be published from what was staged for writers.
        ground.publish("a3", "ext-1", READERS);
        assertEquals(2, ground.plugin.calls("NodeStageVolume").size());
    }

    @Test
    void afterABootWhatWasStagedIsStagedAgain() throws Exception {
        Publication publication = ground.publish("a1", "ext-1", SINGLE);
        Mounts.linux().unmount(publication.path());
        Mounts.linux().unmount(ground.staging("ext-1-name"));
        ground.plugin.clearCalls();
        ground.boot = new BootId("boot-2");
        ground.restart();
        assertEquals(Optional.empty(), ground.volumes.published("a1", "data"));
        assertEquals(Map.of("data", VolumePhase.MOUNTING), ground.volumes.phases("a1"));
        // The fake remembers, so it would lie; a plugin's process is new after a boot.
        ground.plugin.script("NodeStageVolume", Behaviour.ok());
        ground.storage.stage(
                NodeStageVolumeRequest.newBuilder()
                        .setVolumeId("ext-1")
                        .setStagingTargetPath(ground.staging("ext-1-name").toString())
                        .build());
        ground.storage.publish(
                NodePublishVolumeRequest.newBuilder()
                        .setStagingTargetPath(ground.staging("ext-1-name").toString())
                        .setTargetPath(publication.path().toString())
                        .build());
        Mounts.linux().unmount(publication.path());
        ground.plugin.script("NodePublishVolume", Behaviour.lie(), Behaviour.lie());
        Thread again = publishing("a1", "ext-1", SINGLE, new AtomicReference<>());
        ground.plugin.awaitCalls("NodePublishVolume", 1, SOON);
        Mounts.linux().bind(ground.staging("ext-1-name"), publication.path());
        join(again);
        assertEquals(1, ground.plugin.calls("NodeStageVolume").size());
    }

    @Test
    void aStagingStaysWhileAMountOfUnknownUseShowsItsFiles() throws Exception {
        ground.publish("a1", "ext-1", SHARED);
        Path unknown = Files.createDirectories(ground.hostRoot.resolve("per-alloc/lost/v/rw"));
        Mounts.linux().bind(ground.staging("ext-1-name"), unknown);
        Thread stopping =
                ground.threads.start(
                        "test/stop", () -> ground.volumes.unpublish("a1", "data", ground.told));
        BlockedBy told = awaitWait();
        assertTrue(told.holder().contains(unknown.toString()), told.holder());
        assertEquals(List.of(), ground.plugin.calls("NodeUnstageVolume"));
        assertFalse(ground.sweeper.unclear().isEmpty());
        assertEquals(1, ground.sweeper.sweep(List::of).strangers().size());
        Mounts.linux().unmount(unknown);
        join(stopping);
        ground.sweeper.sweep(List::of);
        assertEquals(List.of(), ground.sweeper.unclear());
        ground.assertNothingLeft();
    }

    @Test
    void aPluginThatDoesNotStageIsOnlyAskedToPublish() throws Exception {
        ground.close();
        ground = Ground.make(FakeCsiSetup.standard().withCapabilities(Set.of(), Set.of()));
        ground.publish("a1", "ext-1", SINGLE);
        ground.unpublish("a1");
        assertEquals(List.of("NodePublishVolume", "NodeUnpublishVolume"), ground.calls());
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
    void aTargetThatBecameALinkIsNotShownToThePlugin() throws Exception {
        Publication publication = ground.publish("a1", "ext-1", SINGLE);
        Path canary = Files.createDirectory(ground.directory.resolve("canary"));
        Files.writeString(canary.resolve("f"), "alive");
        Mounts.linux().unmount(publication.path());
        Files.delete(publication.path());
        Files.createSymbolicLink(publication.path(), canary);
        Thread stopping =
                ground.threads.start(
                        "test/stop", () -> ground.volumes.unpublish("a1", "data", ground.told));
        BlockedBy told = awaitWait();
        assertTrue(told.holder().contains("is a link"), told.holder());
        assertEquals(List.of(), ground.plugin.calls("NodeUnpublishVolume"));
        Files.delete(publication.path());
        join(stopping);
        assertEquals("alive", Files.readString(canary.resolve("f")));
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
        ground.sweeper.sweep(List::of);
        assertFalse(ground.sweeper.unclear().isEmpty());
    }

    @Test
    void theSweeperUndoesAStagingWithoutUsersAndRemovesEmptyDirectories() throws Exception {
        Publication used = ground.publish("a2", "ext-2", SINGLE);
        ground.publish("a1", "ext-1", SINGLE);
        ground.plugin.script("NodeUnstageVolume", Behaviour.hang(), Behaviour.ok());
        Thread stopping =
                ground.threads.start(
                        "test/stop", () -> ground.volumes.unpublish("a1", "data", ground.told));
        ground.plugin.awaitCalls("NodeUnstageVolume", 1, SOON);
        stopping.interrupt();
        join(stopping);
        ground.restart();
        Files.createDirectories(ground.hostRoot.resolve("per-alloc/gone/v/rw"));
        Sweeper.Findings found = ground.sweeper.sweep(List::of);
        assertEquals(new Sweeper.Findings(List.of(), List.of(), List.of()), found);
        assertEquals(Optional.of(used), ground.volumes.published("a2", "data"));
        ground.unpublish("a2");
        ground.assertNothingLeft();
    }

    @Test
    void aFullDiskRefusesWhatIsNewAndEndsNothingUntilThereIsRoom() throws Exception {
        Path small = Files.createDirectory(ground.directory.resolve("small"));
        Mounts.linux().mount("cleat-test", small, "tmpfs", Set.of(), "size=16k");
        ground.moveJournal(small.resolve("j"));
        Publication publication = ground.publish("b1", "ext-1", SINGLE);
        Path filler = small.resolve("filler");
        assertThrows(IOException.class, () -> Files.write(filler, new byte[1 << 20]));
        // The journal's last page has room for one record or two.
        Trouble full =
                assertThrows(
                        Trouble.class,
                        () -> {
                            for (int i = 0; i < 20; i++) {
                                ground.journal.keep(JournalTest.record("filler"));
                            }
                        });
        assertTrue(full.reason().contains("No space"), full.reason());
        ground.plugin.clearCalls();
        Trouble refusal = assertThrows(Trouble.class, () -> ground.publish("b2", "ext-2", SINGLE));
        assertTrue(refusal.reason().contains("No space"), refusal.reason());
        assertEquals(Effect.NONE, refusal.effect());
        assertEquals(List.of(), ground.calls());
        Thread stopping =
                ground.threads.start(
                        "test/stop", () -> ground.volumes.unpublish("b1", "data", ground.told));
        BlockedBy told = awaitWait();
        assertEquals("journal", told.step());
        assertTrue(told.holder().contains("No space"), told.holder());
        assertTrue(MountTable.read().at(publication.path()).isPresent());
        Files.delete(filler);
        join(stopping);
        assertEquals(List.of(), ground.mounted());
    }

    @Test
    void manyVolumesStartAndStopSideBySide() throws Exception {
        List<Thread> all = new ArrayList<>();
        List<AtomicReference<Object>> ends = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            String id = "many-" + i;
            ground.plugin.addVolume(id, 1);
            AtomicReference<Object> end = new AtomicReference<>();
            ends.add(end);
            all.add(publishing("a" + i, id, SINGLE, end));
        }
        for (Thread each : all) {
            join(each);
        }
        assertEquals(32, ground.mounted().size());
        Eventually.holds(
                () -> ends.stream().allMatch(e -> e.get() instanceof Publication), "published");
    }
}
