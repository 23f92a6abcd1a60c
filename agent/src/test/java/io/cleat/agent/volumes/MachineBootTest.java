package io.cleat.agent.volumes;

import static io.cleat.agent.volumes.Ground.SHARED;
import static io.cleat.agent.volumes.Ground.SINGLE;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.cleat.csi.v1.NodePublishVolumeRequest;
import io.cleat.csi.v1.NodeStageVolumeRequest;
import io.cleat.kernel.BootId;
import io.cleat.kernel.Mounts;
import io.cleat.testkit.Behaviour;
import io.cleat.testkit.Eventually;
import io.cleat.wire.ToServer.VolumePhase;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** The machine was restarted: mounts are gone, the journal is there. */
class MachineBootTest extends OnGround {
    MachineBootTest() throws Exception {}

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
        ground.storage.stage(NodeStageVolumeRequest.newBuilder()
                .setVolumeId("ext-1")
                .setStagingTargetPath(ground.staging("ext-1-name").toString())
                .build());
        ground.storage.publish(NodePublishVolumeRequest.newBuilder()
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

    /** The machine ends under the agent: mounts are gone, directories and journal are there. */
    private void boot() throws Exception {
        for (String target : ground.mounted().reversed()) {
            Mounts.linux().unmount(Path.of(target));
        }
        ground.plugin.clearCalls();
        ground.boot = new BootId("boot-2");
        ground.restart();
    }

    /** Each boot of a node would be told as the loss of all its mounts. */
    @Test
    void afterABoot_noMountIsSaidToBeLost() throws Exception {
        ground.publish("a1", "ext-1", SINGLE);
        boot();
        ground.watch.look(Ground.NOBODY);
        assertEquals(Optional.empty(), ground.volumes.broken("a1", "data"));
    }

    private void unmountedBySomebody(Path mount) throws Exception {
        Mounts.linux().unmount(mount);
        ground.plugin.forget(mount);
    }

    /** As in a container that was started again, or after an {@code umount -a}. */
    @Test
    void mountsThatAreGoneInTheSameBoot_areMadeAnew() throws Exception {
        ground.publish("a1", "ext-1", SINGLE);
        for (String target : ground.mounted().reversed()) {
            unmountedBySomebody(Path.of(target));
        }
        ground.plugin.clearCalls();
        ground.restart();
        assertEquals(Optional.empty(), ground.volumes.published("a1", "data"));
        Publication again = ground.publish("a1", "ext-1", SINGLE);
        // A plugin that keeps in mind what it has mounted is told first that this is over.
        assertEquals(
                List.of("NodeUnpublishVolume", "NodeUnstageVolume", "NodeStageVolume", "NodePublishVolume"),
                ground.calls());
        Files.writeString(again.path().resolve("f"), "data");
        assertEquals("data", Files.readString(ground.storage.files("ext-1").resolve("f")));
        ground.unpublish("a1");
        ground.assertNothingLeft();
    }

    /** What is published from an unmounted staging is a directory of the node's own disk. */
    @Test
    void aStagingThatSomebodyUnmounted_isStagedAnewBeforeAnotherUserIsGivenIt() throws Exception {
        Publication first = ground.publish("a1", "ext-1", SHARED);
        unmountedBySomebody(ground.staging("ext-1-name"));
        ground.plugin.clearCalls();
        Publication second = ground.publish("a2", "ext-1", SHARED);
        assertEquals(List.of("NodeStageVolume", "NodePublishVolume"), ground.calls());
        Files.writeString(second.path().resolve("f"), "data");
        assertEquals("data", Files.readString(first.path().resolve("f")));
        ground.unpublish("a1");
        ground.unpublish("a2");
        ground.assertNothingLeft();
    }

    /** A claim was told "published", and had the bare directory, which its plugin cleared later. */
    @Test
    void aPluginThatOnlyRemembersThatItHasStaged_isNotBelieved() throws Exception {
        Publication first = ground.publish("a1", "ext-1", SHARED);
        unmountedBySomebody(ground.staging("ext-1-name"));
        ground.plugin.script("NodeStageVolume", Behaviour.lie(), Behaviour.ok());
        AtomicReference<Object> end = new AtomicReference<>();
        Thread second = publishing("a2", "ext-1", SHARED, end);
        ground.told.await("where it had mounted");
        join(second);
        Path path = ((Publication) end.get()).path();
        Files.writeString(path.resolve("f"), "data");
        assertEquals("data", Files.readString(first.path().resolve("f")));
        ground.unpublish("a1");
        ground.unpublish("a2");
        ground.assertNothingLeft();
    }

    /** One that is told OK for as long as it does not unstage first. */
    @Test
    void onceItsOtherUserIsGone_aStagingIsUnstagedAndStagedAnew() throws Exception {
        ground.publish("a1", "ext-1", SHARED);
        unmountedBySomebody(ground.staging("ext-1-name"));
        ground.plugin.script("NodeStageVolume", Behaviour.lie());
        AtomicReference<Object> end = new AtomicReference<>();
        Thread second = publishing("a2", "ext-1", SHARED, end);
        ground.told.await("where it had mounted");
        ground.unpublish("a1");
        ground.plugin.awaitCalls("NodeUnstageVolume", 1, SOON);
        ground.plugin.script("NodeStageVolume", Behaviour.ok());
        join(second);
        Path path = ((Publication) end.get()).path();
        Files.writeString(path.resolve("f"), "data");
        assertEquals("data", Files.readString(ground.storage.files("ext-1").resolve("f")));
        ground.unpublish("a2");
        ground.assertNothingLeft();
    }

    @Test
    void aBindOfADirectoryAtWhichNothingIsMounted_isNoVolume() throws Exception {
        ground.plugin.script("NodeStageVolume", Behaviour.lie());
        ground.plugin.script("NodePublishVolume", Behaviour.lie());
        AtomicReference<Object> end = new AtomicReference<>();
        Thread publishing = publishing("a1", "ext-1", SINGLE, end);
        ground.told.await("nothing is mounted at");
        Path target =
                Path.of(ground.journal.volumes().getFirst().uses().getFirst().hostPath());
        Files.createDirectory(target);
        Mounts.linux().bind(ground.staging("ext-1-name"), target);
        ground.told.await("is in no volume");
        Mounts.linux().unmount(target);
        ground.plugin.script("NodeStageVolume", Behaviour.ok());
        String staging = ground.staging("ext-1-name").toString();
        // Published of what a try before was told is staged, and is not, it would be refused for good.
        Eventually.holds(() -> ground.mounted().contains(staging), "it is staged");
        ground.plugin.script("NodePublishVolume", Behaviour.ok());
        join(publishing);
        Path path = ((Publication) end.get()).path();
        Files.writeString(path.resolve("f"), "data");
        assertEquals("data", Files.readString(ground.storage.files("ext-1").resolve("f")));
        ground.unpublish("a1");
        ground.assertNothingLeft();
    }

    /** The file system of the data directory is none of a plugin that stages another one. */
    @Test
    void aDirectoryOfTheNodesDiskInPlaceOfTheFileSystemThatIsStaged_isNoVolume() throws Exception {
        ground.plugin.script("NodePublishVolume", Behaviour.lie());
        AtomicReference<Object> end = new AtomicReference<>();
        Thread publishing = publishing("a1", "ext-1", SINGLE, end);
        ground.told.await("nothing is mounted at");
        Path target = ground.target("a1", "ext-1-name", SINGLE);
        Files.createDirectory(target);
        Path elsewhere = Files.createDirectory(ground.directory.resolve("elsewhere"));
        Mounts.linux().bind(elsewhere, target);
        ground.told.await("of this machine's own disk");
        Mounts.linux().unmount(target);
        ground.plugin.script("NodePublishVolume", Behaviour.ok());
        join(publishing);
        Path path = ((Publication) end.get()).path();
        Files.writeString(path.resolve("f"), "data");
        assertEquals("data", Files.readString(ground.storage.files("ext-1").resolve("f")));
        ground.unpublish("a1");
        ground.assertNothingLeft();
    }

    /** So does the bundled plugin with directories, where nothing else is mounted. */
    @Test
    void aDirectoryOfTheNodesDiskWhereNothingOrTheSameDiskIsStaged_isAVolume() throws Exception {
        Path elsewhere = Files.createDirectory(ground.directory.resolve("elsewhere"));
        ground.plugin.script("NodeStageVolume", Behaviour.lie());
        ground.plugin.script("NodePublishVolume", Behaviour.lie());
        AtomicReference<Object> end = new AtomicReference<>();
        Thread publishing = publishing("a1", "ext-1", SINGLE, end);
        ground.told.await("nothing is mounted at");
        Path target = ground.target("a1", "ext-1-name", SINGLE);
        Files.createDirectory(target);
        Mounts.linux().bind(elsewhere, target);
        join(publishing);
        assertEquals(target, ((Publication) end.get()).path());
        Mounts.linux().unmount(target);
        ground.plugin.script("NodeUnpublishVolume", Behaviour.lie());
        ground.plugin.script("NodeUnstageVolume", Behaviour.lie());
        ground.unpublish("a1");
        assertEquals(List.of(), ground.journal.volumes());
    }

    /** It was taken for published, since something is mounted there. */
    @Test
    void aTargetThatAnEarlierAgentPublishedFromABareDirectory_isPublishedAnew() throws Exception {
        Path target = ground.publish("a1", "ext-1", SINGLE).path();
        Path bare = Files.createDirectory(ground.hostRoot.resolve("bare"));
        Mounts.linux().unmount(target);
        Mounts.linux().bind(bare, target);
        ground.restart();
        assertEquals(Optional.empty(), ground.volumes.published("a1", "data"));
        assertEquals(Map.of("data", VolumePhase.MOUNTING), ground.volumes.phases("a1"));
        ground.plugin.clearCalls();
        Path path = ground.publish("a1", "ext-1", SINGLE).path();
        assertEquals("NodeUnpublishVolume", ground.calls().getFirst());
        Files.writeString(path.resolve("f"), "data");
        assertEquals("data", Files.readString(ground.storage.files("ext-1").resolve("f")));
        ground.unpublish("a1");
        Files.delete(bare);
        ground.assertNothingLeft();
    }

    @Test
    void afterABootWhatNobodyWantsAnyMoreIsUndoneByThePluginsOwnCalls() throws Exception {
        ground.publish("a1", "ext-1", SINGLE);
        boot();
        // As of a process that was not there before the boot.
        ground.plugin.script("NodeUnpublishVolume", Behaviour.lie());
        ground.plugin.script("NodeUnstageVolume", Behaviour.lie());
        assertEquals(Map.of("data", VolumePhase.MOUNTING), ground.volumes.phases("a1"));
        ground.unpublish("a1");
        assertEquals(List.of("NodeUnpublishVolume", "NodeUnstageVolume"), ground.calls());
        assertEquals(List.of(), ground.entries());
        assertEquals(List.of(), ground.journal.volumes());
    }

    @Test
    void afterABootTheAgentAsksNobodyByItselfAndTheNodeIsClear() throws Exception {
        ground.publish("a1", "ext-1", SHARED);
        ground.publish("a2", "ext-1", SHARED);
        boot();
        assertEquals(new Sweeper.Findings(List.of(), List.of(), List.of()), ground.sweeper.sweep(List::of));
        ground.watch.look(Ground.NOBODY);
        assertEquals(List.of(), ground.calls());
        assertEquals(Optional.empty(), ground.volumes.published("a1", "data"));
        assertEquals(2, ground.journal.volumes().getFirst().uses().size());
    }
}
