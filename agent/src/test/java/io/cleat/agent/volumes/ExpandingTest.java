package io.cleat.agent.volumes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.csi.v1.NodeExpandVolumeRequest;
import io.cleat.model.BlockedBy;
import io.cleat.testkit.Behaviour;
import io.cleat.testkit.FakeCsiSetup;
import io.grpc.Status;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The node's part of an expansion: once for a size, again until it is done. */
@Timeout(60)
class ExpandingTest {
    private static final long TWICE = 2 << 20;

    private final Ground ground;

    ExpandingTest() throws Exception {
        ground = Ground.make(FakeCsiSetup.whole());
    }

    @AfterEach
    void clear() throws Exception {
        ground.close();
    }

    private boolean expand(String alloc, long bytes) throws InterruptedException {
        return ground.volumes.expand(
                Ground.claim(alloc, "ext-1", Ground.SHARED), new Expansion(bytes, false), ground.told);
    }

    @Test
    void thePluginIsAskedOnceForASizeWithThePathsAndSecretsOfTheClaim() throws Exception {
        ground.publish("a1", "ext-1", Ground.SHARED);
        ground.publish("a2", "ext-1", Ground.SHARED);
        ground.plugin.addVolume("ext-1", TWICE);
        assertTrue(expand("a1", TWICE));
        assertTrue(expand("a2", TWICE));
        assertTrue(expand("a1", TWICE));
        assertEquals(1, ground.plugin.calls("NodeExpandVolume").size());
        NodeExpandVolumeRequest asked = (NodeExpandVolumeRequest)
                ground.plugin.calls("NodeExpandVolume").getFirst().request();
        assertEquals(TWICE, asked.getCapacityRange().getRequiredBytes());
        assertEquals(ground.staging("ext-1-name").toString(), asked.getStagingTargetPath());
        assertTrue(asked.getVolumePath().endsWith("/a1/ext-1-name/rw-file-system-multi-node-multi-writer"));
        assertEquals(Map.of("key", "hunter2"), asked.getSecretsMap());
        assertTrue(expand("a2", TWICE + 1));
        assertEquals(2, ground.plugin.calls("NodeExpandVolume").size());
    }

    @Test
    void anotherAgentOfTheNodeKnowsThatItIsDone() throws Exception {
        ground.publish("a1", "ext-1", Ground.SHARED);
        assertTrue(expand("a1", 1 << 20));
        ground.restart();
        assertTrue(expand("a1", 1 << 20));
        assertEquals(1, ground.plugin.calls("NodeExpandVolume").size());
        ground.unpublish("a1");
        ground.publish("a1", "ext-1", Ground.SHARED);
        assertTrue(expand("a1", 1 << 20));
        assertEquals(2, ground.plugin.calls("NodeExpandVolume").size(), "a new mount is new");
    }

    @Test
    void whatIsRefusedIsAskedAgainAndSaysSo() throws Exception {
        ground.publish("a1", "ext-1", Ground.SHARED);
        ground.plugin.script(
                "NodeExpandVolume",
                Behaviour.refuse(Status.Code.FAILED_PRECONDITION, "is being checked"),
                Behaviour.refuse(Status.Code.INTERNAL, "perhaps"),
                Behaviour.ok());
        assertTrue(expand("a1", 1 << 20));
        BlockedBy wait = Objects.requireNonNull(ground.told.waits.poll(20, TimeUnit.SECONDS));
        assertEquals("expand", wait.step());
        assertTrue(wait.holder().contains("is being checked"), wait.holder());
        assertEquals(3, ground.plugin.calls("NodeExpandVolume").size());
        assertEquals(
                2,
                ground.news.node.stream()
                        .filter(event -> event.message().equals("Expand volume")
                                && "false".equals(event.details().get("success")))
                        .count(),
                "each try that failed is told");
    }

    @Test
    void whileAnotherUserExpandsTheVolume_oneWaitsAndSaysForWhom() throws Exception {
        ground.publish("a1", "ext-1", Ground.SHARED);
        ground.publish("a2", "ext-1", Ground.SHARED);
        CountDownLatch gate = new CountDownLatch(1);
        ground.plugin.script("NodeExpandVolume", Behaviour.waitFor(gate), Behaviour.ok());
        Thread first = ground.threads.vitalWork("test/a1", () -> expand("a1", TWICE));
        ground.plugin.awaitCalls("NodeExpandVolume", 1, Duration.ofSeconds(20));
        ground.told.waits.clear();
        Thread second = ground.threads.vitalWork("test/a2", () -> expand("a2", TWICE));
        BlockedBy wait = Objects.requireNonNull(ground.told.waits.poll(20, TimeUnit.SECONDS));
        assertEquals("expanding for allocation a1", wait.holder());
        gate.countDown();
        assertTrue(first.join(Duration.ofSeconds(20)));
        assertTrue(second.join(Duration.ofSeconds(20)));
    }

    @Test
    void aFileSystemWhoseNodeHasNoPartInItsGrowth_isLeftAlone() throws Exception {
        ground.publish("a1", "ext-1", Ground.SHARED);
        assertTrue(ground.volumes.expand(
                Ground.claim("a1", "ext-1", Ground.SHARED), new Expansion(TWICE, true), ground.told));
        assertEquals(0, ground.plugin.calls("NodeExpandVolume").size());
    }

    @Test
    void whatIsNotPublishedIsNotExpanded() throws Exception {
        assertFalse(expand("a1", TWICE));
        assertEquals(0, ground.plugin.calls("NodeExpandVolume").size());
    }
}
