package io.cleat.agent.volumes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Trouble;
import io.cleat.csi.v1.NodePublishVolumeRequest;
import io.cleat.csi.v1.NodeStageVolumeRequest;
import io.cleat.kernel.MountTable;
import io.cleat.model.BlockedBy;
import io.cleat.testkit.Behaviour;
import io.cleat.testkit.BlockEffects;
import io.cleat.testkit.BlockEffects.Shown;
import io.grpc.Status;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Volumes that a task gets as a device: what is looked at is the device file. */
@Timeout(60)
class BlockVolumesTest {
    private static final byte[] WORDS = "kept".getBytes(StandardCharsets.US_ASCII);

    private final Ground ground;

    BlockVolumesTest() throws Exception {
        ground = Ground.devices();
    }

    @AfterEach
    void clear() throws Exception {
        ground.close();
    }

    private Path publish(String alloc, String volume) throws Exception {
        return ground.publish(alloc, volume, Ground.DEVICE).path();
    }

    private static void write(Path device) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(device.toFile(), "rwd")) {
            file.write(WORDS);
        }
    }

    private static String read(Path device) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(device.toFile(), "r")) {
            byte[] bytes = new byte[WORDS.length];
            file.readFully(bytes);
            return new String(bytes, StandardCharsets.US_ASCII);
        }
    }

    private static long length(Path device) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(device.toFile(), "r")) {
            return file.length();
        }
    }

    /** Publishes what cannot be published, gives up, and says what was waited for. */
    private BlockedBy refusedForNow(String alloc, String volume) throws Exception {
        ground.told.waits.clear();
        AtomicReference<Object> end = new AtomicReference<>();
        Thread publishing = ground.threads.vitalWork("test/" + alloc, () -> {
            try {
                end.set(publish(alloc, volume));
            } catch (InterruptedException stop) {
                end.set("stopped");
            } catch (Exception trouble) {
                end.set(trouble);
            }
        });
        BlockedBy wait = ground.told.await("answered OK");
        publishing.interrupt();
        assertTrue(publishing.join(Duration.ofSeconds(20)));
        assertEquals("stopped", end.get());
        return wait;
    }

    @ParameterizedTest
    @EnumSource(names = {"BOUND", "MADE"})
    void aDeviceIsPublishedKeptByTheNextAgentAndTakenAway(Shown shown) throws Exception {
        ground.block().show(shown);
        Path target = publish("a1", "ext-1");
        assertEquals(ground.target("a1", "ext-1-name", Ground.DEVICE), target);
        write(target);
        NodeStageVolumeRequest staged = (NodeStageVolumeRequest)
                ground.plugin.calls("NodeStageVolume").getFirst().request();
        NodePublishVolumeRequest published = (NodePublishVolumeRequest)
                ground.plugin.calls("NodePublishVolume").getFirst().request();
        assertTrue(staged.getVolumeCapability().hasBlock(), "and no options of a file system");
        assertTrue(published.getVolumeCapability().hasBlock());
        assertTrue(Files.isDirectory(Path.of(staged.getStagingTargetPath())));

        ground.plugin.clearCalls();
        ground.restart();
        assertEquals(
                target, ground.volumes.published("a1", "data").orElseThrow().path());
        ground.sweeper.sweep(List::of);
        assertEquals(List.of(), ground.sweeper.unclear());
        assertEquals(target, publish("a1", "ext-1"));
        assertEquals(List.of(), ground.calls());

        ground.unpublish("a1");
        ground.assertNothingLeft();
        assertEquals("kept", read(publish("a2", "ext-1")), "another sees what was written");
        ground.unpublish("a2");
        ground.assertNothingLeft();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "NOTHING | nothing is at",
                "FILE | is a file of 9 bytes, expected a block device",
                "DIRECTORY | is a directory, expected a block device",
                "NO_DEVICE | which this machine does not have",
            })
    void aPluginThatSaysOkAndHasMadeNoDeviceIsCaughtAndNothingStartsOnIt(Shown shown, String words) throws Exception {
        ground.block().show(shown);
        BlockedBy wait = refusedForNow("a1", "ext-1");
        assertEquals("publish", wait.step());
        assertTrue(wait.holder().contains("answered OK to NodePublishVolume"), wait.holder());
        assertTrue(wait.holder().contains(words), wait.holder());
        assertTrue(ground.volumes.published("a1", "data").isEmpty());
        ground.restart();
        ground.unpublish("a1");
        ground.assertNothingLeft();
    }

    @Test
    void aPluginThatShowsAnotherVolumesDeviceIsCaught() throws Exception {
        publish("a1", "ext-1");
        ground.block().show(Shown.OTHERS);
        BlockedBy wait = refusedForNow("a2", "ext-2");
        assertTrue(wait.holder().contains("which is also volume \"ext-1-name\""), wait.holder());
        ground.unpublish("a2");
        ground.unpublish("a1");
        ground.assertNothingLeft();
    }

    @Test
    void aDeviceForReadingRefusesWriting_orItIsNotPublished() throws Exception {
        GrantedClaim reading = Ground.reading(Ground.claim("a1", "ext-1", Ground.DEVICE));
        Path target = ground.volumes.publish(reading, ground.told).path();
        assertEquals(BlockEffects.BYTES, length(target));
        IOException refused = null;
        try {
            write(target);
        } catch (IOException readOnly) {
            refused = readOnly;
        }
        assertTrue(refused != null, "writing is refused");
        ground.unpublish("a1");

        ground.block().ignoreReadOnly();
        Trouble lie = null;
        try {
            ground.volumes.publish(reading, ground.told);
        } catch (Trouble trouble) {
            lie = trouble;
        }
        assertTrue(
                lie != null && lie.reason().contains("asked to publish read-only and made the"),
                () -> "it was published");
        ground.assertNothingLeft();
    }

    @Test
    void aDeviceGrowsUnderItsUserAndOnceForASize() throws Exception {
        Path target = publish("a1", "ext-1");
        write(target);
        long twice = 2 * BlockEffects.BYTES;
        ground.plugin.addVolume("ext-1", twice);
        GrantedClaim claim = Ground.claim("a1", "ext-1", Ground.DEVICE);
        assertTrue(ground.volumes.expand(claim, new Expansion(twice, false), ground.told));
        assertTrue(ground.volumes.expand(claim, new Expansion(twice, false), ground.told));
        assertEquals(twice, length(target));
        assertEquals("kept", read(target));
        assertEquals(1, ground.plugin.calls("NodeExpandVolume").size());
        ground.unpublish("a1");
        ground.assertNothingLeft();
    }

    /** It was believed, and who writes met the old end of the device. */
    @Test
    void aDeviceThatItsPluginSaysHasGrownAndHasNot_isSaid() throws Exception {
        Path target = publish("a1", "ext-1");
        long twice = 2 * BlockEffects.BYTES;
        ground.plugin.addVolume("ext-1", twice);
        ground.plugin.script("NodeExpandVolume", Behaviour.lie(), Behaviour.ok());
        GrantedClaim claim = Ground.claim("a1", "ext-1", Ground.DEVICE);
        assertTrue(ground.volumes.expand(claim, new Expansion(twice, false), ground.told));
        BlockedBy wait = ground.told.await("bytes as before, expected " + twice);
        assertEquals("expand", wait.step());
        assertEquals(twice, length(target));
        ground.unpublish("a1");
        ground.assertNothingLeft();
    }

    /** Nobody compared it, since nobody was to be called. */
    @Test
    void aDeviceWhoseNodeHasNoPartInItsGrowth_isComparedAndItsPluginNotCalled() throws Exception {
        Path target = publish("a1", "ext-1");
        long twice = 2 * BlockEffects.BYTES;
        GrantedClaim claim = Ground.claim("a1", "ext-1", Ground.DEVICE);
        Thread growing = ground.threads.vitalWork(
                "test/grow", () -> assertTrue(ground.volumes.expand(claim, new Expansion(twice, true), ground.told)));
        BlockedBy wait = ground.told.await("bytes as before, expected " + twice);
        assertTrue(wait.holder().contains("its nodes have nothing to do"), wait.holder());
        ground.block().grow("ext-1", twice);
        growing.join();
        assertEquals(twice, length(target));
        assertEquals(0, ground.plugin.calls("NodeExpandVolume").size());
        ground.unpublish("a1");
        ground.assertNothingLeft();
    }

    @Test
    void aDeviceThatIsStillOpenIsWaitedForWithItsReason() throws Exception {
        Path target = publish("a1", "ext-1");
        Thread ending;
        try (RandomAccessFile open = new RandomAccessFile(target.toFile(), "rw")) {
            open.write(WORDS);
            ending = ground.threads.vitalWork("test/end", () -> ground.unpublish("a1"));
            assertEquals("unpublish", ground.told.await("EBUSY").step());
            assertEquals(List.of(), ground.plugin.calls("NodeUnstageVolume"));
        }
        assertTrue(ending.join(Duration.ofSeconds(20)));
        ground.assertNothingLeft();
    }

    @Test
    void aDeviceThatSomebodyHasOpenBesideItsTargetKeepsItsStaging() throws Exception {
        publish("a1", "ext-1");
        Thread ending;
        try (RandomAccessFile open =
                new RandomAccessFile(ground.block().device("ext-1").toFile(), "rw")) {
            open.write(WORDS);
            ending = ground.threads.vitalWork("test/end", () -> ground.unpublish("a1"));
            assertEquals(
                    "unstage",
                    ground.told.await("still open in another process").step());
        }
        assertTrue(ending.join(Duration.ofSeconds(20)));
        ground.assertNothingLeft();
    }

    @ParameterizedTest
    @EnumSource(names = {"BOUND", "MADE"})
    void notFoundIsNotBelievedWhileTheDeviceIsThere(Shown shown) throws Exception {
        ground.block().show(shown);
        Path target = publish("a1", "ext-1");
        for (String call : List.of("NodeUnpublishVolume", "NodeUnstageVolume")) {
            ground.plugin.script(call, Behaviour.refuse(Status.Code.NOT_FOUND, "no such volume"));
        }
        ground.unpublish("a1");
        assertFalse(Files.exists(target));
        assertTrue(MountTable.readTwice().at(target).isEmpty());
        assertEquals(List.of(), ground.journal.volumes());
        assertEquals(
                1,
                ground.news.volume.stream()
                        .filter(event -> event.message().contains("the agent "))
                        .count());
        assertToldOf(
                shown == Shown.MADE
                        ? "answered NotFound to NodeUnpublishVolume, and a device is still at "
                                + target
                                + ": the agent removed it"
                        : "answered NotFound to NodeUnpublishVolume, and "
                                + target
                                + " is still mounted: the agent unmounted it");
    }

    private void assertToldOf(String words) {
        assertTrue(
                ground.news.volume.stream().anyMatch(event -> event.message().endsWith(words)),
                ground.news.volume.toString());
    }

    @Test
    void aDeviceThatStaysThoughItsUnpublishingWasOkIsUnpublishedAgain() throws Exception {
        ground.block().show(Shown.MADE);
        Path target = publish("a1", "ext-1");
        ground.plugin.script("NodeUnpublishVolume", Behaviour.lie(), Behaviour.ok());
        ground.unpublish("a1");
        assertEquals(2, ground.plugin.calls("NodeUnpublishVolume").size());
        assertToldOf("answered OK to NodeUnpublishVolume, and a device is still at " + target);
        ground.assertNothingLeft();
    }

    @Test
    void whatIsInTheWayOfADeviceIsNamedAndNotTouched() throws Exception {
        Path target = ground.target("a1", "ext-1-name", Ground.DEVICE);
        Files.createDirectories(Objects.requireNonNull(target.getParent()));
        Files.writeString(target, "somebody's");
        Trouble refused = null;
        try {
            publish("a1", "ext-1");
        } catch (Trouble trouble) {
            refused = trouble;
        }
        assertTrue(refused != null && refused.reason().contains("is a file of 10 bytes"), () -> "it was published");
        assertEquals("somebody's", Files.readString(target));
        assertEquals(List.of(), ground.calls());
        Files.delete(target);
        ground.sweeper.sweep(List::of);
        ground.assertNothingLeft();
    }

    @Test
    void whatADeviceWasShownAtIsSweptWhenItIsEmptyAndNamedWhenItIsNot() throws Exception {
        Path lost = ground.target("lost", "v", Ground.DEVICE);
        Files.createDirectories(Objects.requireNonNull(lost.getParent()));
        Files.createFile(lost);
        Path full = Files.writeString(lost.resolveSibling("full"), "data");
        Path target = publish("a1", "ext-1");
        assertEquals(
                List.of(full + " is a file of 4 bytes"),
                ground.sweeper.sweep(List::of).left());
        assertFalse(Files.exists(lost));
        assertEquals(BlockEffects.BYTES, length(target), "what is in use stays");
        Files.delete(full);
        ground.sweeper.sweep(List::of);
        ground.unpublish("a1");
        ground.assertNothingLeft();
    }
}
