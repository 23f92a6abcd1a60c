package io.cleat.server.decide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.model.ControllerCapability;
import io.cleat.model.PluginInstance;
import io.cleat.schedule.AttachNeed;
import io.cleat.schedule.PluginHealth;
import io.cleat.state.ClaimState;
import io.cleat.state.Encrypted;
import java.time.Instant;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A plugin that announces a controller service and runs as {@code type = "node"} alone. */
final class NodeOnlyPluginTest {
    private final Cluster cluster = new Cluster();

    private static PluginInstance nodeOnly(String node) {
        return new PluginInstance(
                Cluster.PLUGIN,
                "plugin-alloc-" + node,
                true,
                "healthy",
                "org.example",
                "1",
                true,
                false,
                Instant.EPOCH,
                null,
                new PluginInstance.Node("ext-" + node, 1000, null, Set.of()));
    }

    private PluginHealth plugin() {
        return PluginHealth.of(cluster.state(), Cluster.PLUGIN);
    }

    /** It was refused with "no healthy controllers", though no controller had ever been. */
    @Test
    void volumeOfAPluginWithoutControllers_isRegisteredAndClaimedWithoutAttaching() {
        cluster.register(cluster.facts("n1", "boot-1", nodeOnly("n1")));
        cluster.volume("v", Cluster.WRITER);
        assertEquals(AttachNeed.NOT_NEEDED, plugin().attachNeed());
        cluster.writer("a", "v");
        assertEquals(ClaimState.GRANTED, cluster.claim("v", "a").state());
        assertTrue(cluster.state().attachments().all().isEmpty());
    }

    @Test
    void onceAControllerHasRegistered_itIsWanted() {
        cluster.register(cluster.facts("n1", "boot-1", nodeOnly("n1")));
        cluster.register(
                cluster.facts("n2", "boot-1", cluster.plugin("n2", ControllerCapability.PUBLISH_UNPUBLISH_VOLUME)));
        assertTrue(plugin().isControllerRequired());
        assertEquals(AttachNeed.NEEDED, plugin().attachNeed());
        VolumeReply begun =
                cluster.accept(new RegisterVolume(Cluster.volume("v", "ext-v", Cluster.WRITER), Encrypted.NONE, "op"));
        assertEquals(new VolumeReply.Started("op"), begun);
    }
}
