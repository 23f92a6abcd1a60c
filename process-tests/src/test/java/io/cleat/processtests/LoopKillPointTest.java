package io.cleat.processtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.agent.volumes.JournalPoint;
import io.cleat.base.Deadline;
import io.cleat.base.Secrets;
import io.cleat.base.SystemTime;
import io.cleat.csi.AccessType;
import io.cleat.csi.CapacityRange;
import io.cleat.csi.ContentSource;
import io.cleat.csi.PluginChannel;
import io.cleat.csi.VolumeOrder;
import io.cleat.csi.VolumeUse;
import io.cleat.model.AccessMode;
import io.cleat.testkit.Eventually;
import io.cleat.testkit.RunDirectory;
import io.cleat.testkit.ShimProgram;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * As {@link KillPointTest}, with the bundled plugin in a process of its own and images over loop devices, at the few
 * points where such a device could be left behind or attached twice.
 */
@Timeout(180)
class LoopKillPointTest {
    private static final AccessMode MODE = AccessMode.SINGLE_NODE_WRITER;
    private static final long SIZE = 16 << 20;

    private final Path directory;
    private final Path shim;
    private final Leavings leavings;
    private String own = "";
    private String other = "";
    private @Nullable Process plugin;

    LoopKillPointTest() throws Exception {
        Assumptions.assumeTrue(
                "root".equals(System.getProperty("user.name")),
                "reason: loop devices need root, and the tests run as another user");
        shim = ShimProgram.built();
        directory = RunDirectory.make();
        leavings = new Leavings(directory);
    }

    @BeforeEach
    void createVolumes() throws Exception {
        startPlugin();
        own = create("own");
        other = create("other");
    }

    private void startPlugin() throws Exception {
        Path socket = directory.resolve("s");
        Path log = directory.resolve("plugin.log");
        Files.deleteIfExists(log);
        plugin = new ProcessBuilder(TestJvm.localPlugin(List.of(
                        "--endpoint",
                        "unix://" + socket,
                        "--pool",
                        directory.resolve("pool").toString(),
                        "--node-id",
                        "node-1")))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        Eventually.holds(() -> TestJvm.text(log).contains("serves the pool"), "the plugin serves");
    }

    private void killPlugin() throws Exception {
        Process running = plugin;
        if (running != null) {
            running.destroyForcibly().waitFor();
        }
    }

    private String create(String name) throws Exception {
        VolumeUse use = new VolumeUse(AccessType.MOUNT, io.cleat.csi.AccessMode.SINGLE_NODE_WRITER);
        VolumeOrder order = new VolumeOrder(
                name,
                new CapacityRange(SIZE, SIZE),
                List.of(use),
                Map.of("type", "ext4"),
                Secrets.none(),
                List.of(),
                List.of(),
                ContentSource.EMPTY,
                Map.of());
        try (PluginChannel channel = PluginChannel.open("local", directory.resolve("s"))) {
            Deadline deadline = Deadline.in(new SystemTime(), Duration.ofSeconds(30));
            return channel.controller().create(order, deadline).volumeId();
        }
    }

    @AfterEach
    void clear() throws Exception {
        killPlugin();
        List<String> left = leavings.found();
        leavings.remove();
        assertEquals(List.of(), left.stream().filter(l -> !l.equals(ownRoot())).toList());
        try (Stream<Path> all = Files.walk(directory)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }

    /** The agent's own mount of its root upon itself stays as long as the agent has it. */
    private String ownRoot() {
        return "mount " + directory.resolve("csi");
    }

    static Stream<JournalPoint> pointsOfTheAgent() {
        return KillPoints.every(
                2,
                0,
                List.of(
                        JournalPoint.AFTER_STAGE,
                        JournalPoint.AFTER_PUBLISH,
                        JournalPoint.AFTER_UNPUBLISH,
                        JournalPoint.AFTER_UNSTAGE));
    }

    static Stream<JournalPoint> pointsOfThePlugin() {
        return KillPoints.every(
                2,
                0,
                List.of(
                        JournalPoint.BEFORE_STAGE,
                        JournalPoint.AFTER_STAGE,
                        JournalPoint.BEFORE_UNPUBLISH,
                        JournalPoint.AFTER_UNPUBLISH));
    }

    @ParameterizedTest
    @MethodSource("pointsOfTheAgent")
    void killedAgentHasOneDevicePerVolumeAndThenNone(JournalPoint point) throws Exception {
        DyingAgent.killAt(point, directory, shim, MODE, own, other);
        try (VolumeNode node = new VolumeNode(directory, shim, MODE, JournalPoint.Listener.NONE)) {
            Path path = node.publish("own", own);
            assertEquals(images(own, other), Set.copyOf(leavings.loopFiles()));
            assertEquals(2, leavings.loopFiles().size(), "each is attached once");
            if (point.compareTo(JournalPoint.AFTER_PUBLISH) > 0) {
                assertEquals("own data", Files.readString(path.resolve("own")));
            }
            Path others = node.volumes.published("other", "data").orElseThrow().path();
            assertEquals("other's data", Files.readString(others.resolve("other")));
            end(node);
        }
    }

    @ParameterizedTest
    @MethodSource("pointsOfThePlugin")
    void killedPluginFindsItsDevicesAgain(JournalPoint point) throws Exception {
        boolean[] killed = {false};
        JournalPoint.Listener killer = reached -> {
            if (reached == point && !killed[0]) {
                killed[0] = true;
                restartPlugin();
            }
        };
        try (VolumeNode node = new VolumeNode(directory, shim, MODE, killer)) {
            Path path = node.publish("own", own);
            Files.writeString(path.resolve("own"), "own data");
            assertEquals(List.of(image(own)), leavings.loopFiles());
            node.unpublish("own");
            assertTrue(killed[0], "never reached");
            end(node);
        }
    }

    private void restartPlugin() {
        try {
            killPlugin();
            startPlugin();
        } catch (Exception failed) {
            throw new IllegalStateException(failed);
        }
    }

    private void end(VolumeNode node) throws Exception {
        node.unpublish("own");
        node.unpublish("other");
        assertEquals(List.of(), leavings.loopFiles());
        assertEquals(List.of(), node.faults);
    }

    private Path image(String volume) {
        return directory.resolve("pool/volumes/" + volume + "/image");
    }

    private Set<Path> images(String... volumes) {
        return Stream.of(volumes).map(this::image).collect(Collectors.toSet());
    }
}
