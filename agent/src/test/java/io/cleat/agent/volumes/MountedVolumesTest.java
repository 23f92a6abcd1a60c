package io.cleat.agent.volumes;

import static io.cleat.agent.volumes.Ground.READERS;
import static io.cleat.agent.volumes.Ground.SHARED;
import static io.cleat.agent.volumes.Ground.SINGLE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.BackOff;
import io.cleat.base.Effect;
import io.cleat.base.Trouble;
import io.cleat.csi.v1.NodePublishVolumeRequest;
import io.cleat.csi.v1.NodeStageVolumeRequest;
import io.cleat.kernel.MountTable;
import io.cleat.kernel.Mounts;
import io.cleat.model.BlockedBy;
import io.cleat.model.VolumeId;
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
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** The life of volumes on a node whose plugin behaves. */
class MountedVolumesTest extends OnGround {
    MountedVolumesTest() throws Exception {}

    @Test
    void mountsAtTheFixedPathsForItsOwnerOnlyAndLeavesNothing() throws Exception {
        Publication publication = ground.publish("a1", "ext-1", SINGLE);
        Path target = ground.hostRoot.resolve("per-alloc/a1/ext-1-name/rw-file-system-single-node-writer");
        assertEquals(target, publication.path());
        assertEquals(List.of(ground.staging("ext-1-name").toString(), target.toString()), ground.mounted());
        for (Path made = Objects.requireNonNull(target.getParent());
                !made.equals(ground.directory);
                made = Objects.requireNonNull(made.getParent())) {
            assertEquals(
                    "rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(made)), made.toString());
        }
        Files.writeString(target.resolve("f"), "data");
        assertEquals(Map.of("data", VolumePhase.PUBLISHED), ground.volumes.phases("a1"));

        ground.unpublish("a1");
        assertEquals(
                List.of("NodeStageVolume", "NodePublishVolume", "NodeUnpublishVolume", "NodeUnstageVolume"),
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
                List.of("NodeStageVolume OK", "NodePublishVolume OK", "NodeUnpublishVolume OK", "NodeUnstageVolume OK"),
                ground.news.volume.stream()
                        .map(event -> event.call() + " " + event.code())
                        .toList());
    }

    @Test
    void contextSecretsAndOptionsGoWithEachStageAndPublishCall() throws Exception {
        ground.publish("a1", "ext-1", SHARED);
        ground.publish("a2", "ext-1", SHARED);
        var stage = (NodeStageVolumeRequest)
                ground.plugin.calls("NodeStageVolume").getFirst().request();
        assertEquals(Map.of("lun", "42"), stage.getPublishContextMap());
        assertEquals(Map.of("key", "hunter2"), stage.getSecretsMap());
        assertEquals(Map.of("pool", "p1"), stage.getVolumeContextMap());
        assertEquals(List.of("noatime"), stage.getVolumeCapability().getMount().getMountFlagsList());
        for (var call : ground.plugin.calls("NodePublishVolume")) {
            var publish = (NodePublishVolumeRequest) call.request();
            assertEquals(Map.of("lun", "42"), publish.getPublishContextMap());
            assertEquals(Map.of("key", "hunter2"), publish.getSecretsMap());
            assertEquals(stage.getStagingTargetPath(), publish.getStagingTargetPath());
            assertEquals(stage.getVolumeCapability(), publish.getVolumeCapability());
        }
        assertFalse(
                Files.readString(ground.directory.resolve("volumes.journal"), StandardCharsets.ISO_8859_1)
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

    /** nomad#18741: one staging path for two namespaces. */
    @Test
    void nomad18741VolumesOfTheSameNameInTwoNamespacesHaveTwoStagings() throws Exception {
        ground.volumes.publish(Ground.claim("a1", "ext-1", SINGLE, new VolumeId("default", "db")), ground.told);
        ground.volumes.publish(Ground.claim("a2", "ext-2", SINGLE, new VolumeId("prod", "db")), ground.told);
        assertEquals(
                Set.of(
                        ground.hostRoot.resolve("staging/default/db").toString(),
                        ground.hostRoot.resolve("staging/prod/db").toString()),
                ground.plugin.staged().keySet());
        ground.unpublish("a1");
        assertTrue(ground.volumes.published("a2", "data").isPresent());
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
        assertTrue(Duration.ofNanos(System.nanoTime() - appeared).compareTo(Duration.ofSeconds(10)) < 0);
    }

    /** Each waited out its own pause, and said for as long what was over. */
    @Test
    void whenOneClaimHasStagedAVolume_theOthersThatWaitToTryAgainGoOnAtOnce() throws Exception {
        ground.again = new BackOff(Duration.ofMinutes(5), Duration.ofMinutes(5));
        ground.restart();
        Behaviour refusal = Behaviour.refuse(Status.Code.UNAVAILABLE, "not now");
        ground.plugin.script("NodeStageVolume", refusal, refusal, Behaviour.ok());
        AtomicReference<Object> first = new AtomicReference<>();
        AtomicReference<Object> second = new AtomicReference<>();
        Thread one = publishing("a1", "ext-1", SHARED, first);
        ground.told.await("not now");
        Thread other = publishing("a2", "ext-1", SHARED, second);
        ground.told.await("not now");
        ground.publish("a3", "ext-1", SHARED);
        join(one);
        join(other);
        assertTrue(first.get() instanceof Publication, String.valueOf(first.get()));
        assertTrue(second.get() instanceof Publication, String.valueOf(second.get()));
        assertEquals(3, ground.plugin.calls("NodeStageVolume").size());
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

    /** Else the agent goes on to speak of a grant that the server has replaced. */
    @Test
    void aClaimThatIsGrantedAnew_isPublishedWithItsNewEpochAndNotAskedForAgain() throws Exception {
        GrantedClaim claim = Ground.claim("a1", "ext-1", SINGLE);
        assertEquals(7, ground.volumes.publish(claim, ground.told).epoch());
        ground.plugin.clearCalls();
        assertEquals(
                8, ground.volumes.publish(Ground.granted(claim, 8), ground.told).epoch());
        assertEquals(List.of(), ground.calls());
        ground.restart();
        assertEquals(8, ground.volumes.published("a1", "data").orElseThrow().epoch());
    }

    /** The second would be mounted over the first, and each undone with the other. */
    @Test
    void anotherVolumeOfTheSameName_waitsUntilThePathsAreFree() throws Exception {
        VolumeId name = new VolumeId("default", "db");
        ground.volumes.publish(Ground.claim("a1", "ext-1", SINGLE, name), ground.told);
        ground.plugin.clearCalls();
        AtomicReference<Object> end = new AtomicReference<>();
        Thread waiting = ground.threads.vitalWork("test/a2", () -> {
            try {
                end.set(ground.volumes.publish(Ground.claim("a2", "ext-2", SINGLE, name), ground.told));
            } catch (Trouble trouble) {
                end.set(trouble);
            }
        });
        BlockedBy told = awaitWait();
        assertEquals("mount", told.step());
        assertTrue(told.holder().contains("volume ext-1 of plugin"), told.holder());
        assertEquals(List.of(), ground.calls());
        ground.unpublish("a1");
        join(waiting);
        assertTrue(end.get() instanceof Publication, String.valueOf(end.get()));
        assertEquals(Set.of("ext-2"), Set.copyOf(ground.plugin.staged().values()));
    }

    /** Else the end of one takes the mount from under the other. */
    @Test
    void twoNamesOfOneVolumeInAnAllocation_shareTheTargetUntilTheLastEnds() throws Exception {
        GrantedClaim one = Ground.claim("a1", "ext-1", SHARED);
        GrantedClaim two = Ground.named("more", one);
        Publication first = ground.volumes.publish(one, ground.told);
        Publication second = ground.volumes.publish(two, ground.told);
        assertEquals(first.path(), second.path());
        assertEquals(2, ground.mounted().size());
        Files.writeString(first.path().resolve("f"), "data");
        ground.unpublish("a1");
        assertEquals(List.of(), ground.plugin.calls("NodeUnpublishVolume"));
        assertEquals(Optional.of(second), ground.volumes.published("a1", "more"));
        assertEquals("data", Files.readString(second.path().resolve("f")));
        ground.volumes.unpublish("a1", "more", ground.told);
        assertEquals(1, ground.plugin.calls("NodeUnpublishVolume").size());
        ground.assertNothingLeft();
    }

    /** Else it is published from a staging that is being taken away. */
    @Test
    void anUnstagingThatWasBegun_isEndedBeforeTheNextAllocationMounts() throws Exception {
        ground.publish("a1", "ext-1", SHARED);
        stopWhile("NodeUnstageVolume");
        ground.plugin.clearCalls();
        ground.publish("a2", "ext-1", SHARED);
        assertEquals(List.of("NodeUnstageVolume", "NodeStageVolume", "NodePublishVolume"), ground.calls());
        assertEquals(Map.of(), ground.volumes.phases("a1"));
        ground.unpublish("a2");
        ground.assertNothingLeft();
    }

    @Test
    void anEndThatWasBegun_isEndedBeforeTheSameAllocationMountsAnew() throws Exception {
        ground.publish("a1", "ext-1", SINGLE);
        stopWhile("NodeUnpublishVolume");
        ground.plugin.clearCalls();
        Publication anew = ground.publish("a1", "ext-1", SINGLE);
        assertEquals(
                List.of("NodeUnpublishVolume", "NodeUnstageVolume", "NodeStageVolume", "NodePublishVolume"),
                ground.calls());
        assertEquals(Optional.of(anew), ground.volumes.published("a1", "data"));
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

    /** Else the directory above all targets stays, as each leaves it to the other. */
    @Test
    void volumesThatEndAtATimeLeaveNoEmptyDirectory() throws Exception {
        ground.publish("a1", "ext-1", SINGLE);
        ground.publish("a2", "ext-2", SINGLE);
        CountDownLatch gate = new CountDownLatch(1);
        ground.plugin.script("NodeUnstageVolume", Behaviour.waitFor(gate), Behaviour.ok());
        Thread first = ground.threads.vitalWork("test/stop", () -> ground.volumes.unpublish("a1", "data", ground.told));
        ground.plugin.awaitCalls("NodeUnstageVolume", 1, SOON);
        ground.unpublish("a2");
        gate.countDown();
        join(first);
        ground.assertNothingLeft();
    }

    @Test
    void theSweeperUndoesAStagingWithoutUsersAndRemovesEmptyDirectories() throws Exception {
        Publication used = ground.publish("a2", "ext-2", SINGLE);
        ground.publish("a1", "ext-1", SINGLE);
        stopWhile("NodeUnstageVolume");
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
        Trouble full = assertThrows(Trouble.class, () -> {
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
                ground.threads.vitalWork("test/stop", () -> ground.volumes.unpublish("b1", "data", ground.told));
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
        Eventually.holds(() -> ends.stream().allMatch(e -> e.get() instanceof Publication), "published");

        // The table is as long as all mounts together: it is not read for each of them.
        int before = ground.tableReadings.get();
        assertEquals(new Sweeper.Findings(List.of(), List.of(), List.of()), ground.sweeper.sweep(List::of));
        int readings = ground.tableReadings.get() - before;
        assertTrue(readings < 16, readings + " readings of the table");
    }
}
