package io.cleat.agent.plugins;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.cleat.base.DiskTrouble;
import io.cleat.base.Threads;
import io.cleat.model.ControllerCapability;
import io.cleat.model.MountLoss;
import io.cleat.model.NodeCapability;
import io.cleat.model.PluginInstance;
import io.cleat.model.Topology;
import io.cleat.testkit.History;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The registry's file: what earlier programs wrote is read. */
final class RegistryHistoryTest {
    private static final History HISTORY = new History("agent");
    private static final Instant AT = Instant.parse("2026-11-21T06:00:00.000000001Z");

    private static final Threads THREADS = Threads.virtual((where, fault) -> {
        throw new AssertionError(where, fault);
    });

    @TempDir
    Path directory;

    @Test
    void theRegistryOfVersion1IsRead() throws IOException, DiskTrouble {
        Path file = directory.resolve("registry");
        List<Registration> expected = List.of(node(), controller());
        try (PluginRegistry written = new PluginRegistry(file, new Feed(THREADS))) {
            for (Registration registration : expected.reversed()) {
                written.register(registration);
            }
        }
        Files.write(file, HISTORY.sample("preg-1", Files.readAllBytes(file)));
        try (PluginRegistry read = new PluginRegistry(file, new Feed(THREADS))) {
            assertEquals(expected, read.all());
        }
    }

    private static Registration node() {
        PluginInstance.Node facts = new PluginInstance.Node(
                "node-1", 9, new Topology(Map.of("rack", "r1")), Set.of(NodeCapability.STAGE_UNSTAGE_VOLUME));
        return registration(PluginKind.NODE, instance(null, facts));
    }

    private static Registration controller() {
        PluginInstance.Controller facts = new PluginInstance.Controller(
                Set.of(ControllerCapability.CREATE_DELETE_VOLUME, ControllerCapability.LIST_VOLUMES), false);
        return registration(PluginKind.CONTROLLER, instance(facts, null));
    }

    private static Registration registration(PluginKind kind, PluginInstance facts) {
        return new Registration(
                kind, "local", "a-1", "/run/csi.sock", "/data/volumes/local", "/csi", facts, MountLoss.ALERT);
    }

    private static PluginInstance instance(
            PluginInstance.@Nullable Controller controller, PluginInstance.@Nullable Node node) {
        return new PluginInstance(
                "local", "a-1", true, "healthy", "local.csi.cleat.io", "0.1.0", true, true, AT, controller, node);
    }
}
