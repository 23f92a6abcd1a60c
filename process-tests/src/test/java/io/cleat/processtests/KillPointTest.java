package io.cleat.processtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.agent.volumes.JournalPoint;
import io.cleat.agent.volumes.Sweeper;
import io.cleat.base.KernelTrouble;
import io.cleat.kernel.Mount;
import io.cleat.kernel.MountTable;
import io.cleat.kernel.Mounts;
import io.cleat.model.AccessMode;
import io.cleat.testkit.Behaviour;
import io.cleat.testkit.BindMountEffects;
import io.cleat.testkit.FakeCsiPlugin;
import io.cleat.testkit.FakeCsiSetup;
import io.cleat.testkit.RunDirectory;
import io.cleat.testkit.ShimProgram;
import io.grpc.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The agent, and the plugin, are killed at each point that the journal names. The plugin is the fake one, here in the
 * test's process, with real mounts; the agent that dies is another process.
 *
 * <p>What was to go on does so after a death at every sixth point, and what was to end ends after one at every sixth
 * other: which, the seed says. {@code -Dcleat.points=all} tries both at all, {@code -Dcleat.seed=N} those of another
 * run.
 */
@Timeout(120)
class KillPointTest {
    private static final AccessMode MODE = AccessMode.MULTI_NODE_MULTI_WRITER;

    private final Path directory;
    private final Path shim;
    private final BindMountEffects storage;
    private final FakeCsiSetup setup;
    private final FakeCsiPlugin plugin;

    KillPointTest() throws Exception {
        Assumptions.assumeTrue(
                "root".equals(System.getProperty("user.name")),
                "reason: mounting needs root, and the tests run as another user");
        shim = ShimProgram.built();
        directory = RunDirectory.make();
        Path pool = Files.createDirectory(directory.resolve("pool"));
        Mounts.linux().mount("cleat-test", pool, "tmpfs", Set.of(), "size=1m");
        storage = new BindMountEffects(pool);
        setup = FakeCsiSetup.standard().withEffects(storage);
        plugin = FakeCsiPlugin.start(directory.resolve("s"), setup);
        plugin.addVolume("ext-1", 1);
        plugin.addVolume("ext-2", 1);
    }

    @AfterEach
    void clear() throws Exception {
        plugin.close();
        List<Mount> mounts = new ArrayList<>(MountTable.readTwice().atOrBelow(directory));
        for (Mount mount : mounts.reversed()) {
            Mounts.linux().unmount(Path.of(mount.target()));
        }
        assertEquals(List.of(), MountTable.readTwice().atOrBelow(directory));
        try (Stream<Path> all = Files.walk(directory)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }

    static Stream<JournalPoint> pointsToGoOnFrom() {
        return everySixth(0, List.of(JournalPoint.values()));
    }

    static Stream<JournalPoint> pointsToEndFrom() {
        return everySixth(2, List.of(JournalPoint.values()));
    }

    /** Those at which something is done to what only one of two allocations has. */
    static Stream<JournalPoint> pointsOfOneOfTwo() {
        return everySixth(
                0,
                Stream.of(JournalPoint.values())
                        .filter(point -> point.name().matches(".*(DIRECTORIES|_PUBLISH|UNPUBLISH|TARGET_REMOVAL)"))
                        .toList());
    }

    /** Whatever the seed, one at least of those: there are more than six. */
    private static Stream<JournalPoint> everySixth(int first, List<JournalPoint> points) {
        return KillPoints.every(6, first, points);
    }

    /** What the claim of a running allocation says: mounted, once. */
    @ParameterizedTest
    @MethodSource("pointsToGoOnFrom")
    void killedAgentGoesOnAndMountsOnce(JournalPoint point) throws Exception {
        killAt(point, "ext-2");
        try (VolumeNode node = restored()) {
            assertOtherIsWell(node);
            Path path = node.publish("own", "ext-1");
            assertEquals(1, count(path));
            assertEquals(1, count(node.hostRoot.resolve("staging/default/ext-1")));
            assertEquals(4, MountTable.readTwice().atOrBelow(node.hostRoot).size());
            if (point.compareTo(JournalPoint.AFTER_PUBLISH) > 0) {
                assertEquals("own data", Files.readString(path.resolve("own")));
            }
            Files.writeString(path.resolve("after"), "after");
            assertOtherIsWell(node);
            endAll(node);
        }
        assertEquals("after", Files.readString(storage.files("ext-1").resolve("after")));
    }

    /** What the end of an allocation says: not mounted, and nothing left of it. */
    @ParameterizedTest
    @MethodSource("pointsToEndFrom")
    void killedAgentEndsWhatWasStoppedAndLeavesNothing(JournalPoint point) throws Exception {
        killAt(point, "ext-2");
        try (VolumeNode node = restored()) {
            node.unpublish("own");
            assertEquals(Map.of(), node.volumes.phases("own"));
            assertEquals(2, MountTable.readTwice().atOrBelow(node.hostRoot).size());
            assertOtherIsWell(node);
            endAll(node);
        }
        boolean wrote = point.compareTo(JournalPoint.AFTER_PUBLISH) > 0;
        assertEquals(wrote, Files.exists(storage.files("ext-1").resolve("own")));
    }

    /** The other allocation uses the same volume: its staging must outlive all of this. */
    @ParameterizedTest
    @MethodSource("pointsOfOneOfTwo")
    void killedAgentKeepsWhatAnotherUses(JournalPoint point) throws Exception {
        killAt(point, "ext-1");
        try (VolumeNode node = restored()) {
            node.unpublish("own");
            assertEquals(2, MountTable.readTwice().atOrBelow(node.hostRoot).size());
            assertEquals(List.of(), plugin.calls("NodeUnstageVolume"));
            assertOtherIsWell(node);
            endAll(node);
        }
    }

    @ParameterizedTest
    @EnumSource(JournalPoint.class)
    void killedPluginIsAskedAgain(JournalPoint point) throws Exception {
        scriptFor(point);
        boolean[] killed = {false};
        JournalPoint.Listener killer = reached -> {
            if (reached == point && !killed[0]) {
                killed[0] = true;
                plugin.restart(setup);
            }
        };
        try (VolumeNode node = new VolumeNode(directory, shim, MODE, killer)) {
            Path path = node.publish("own", "ext-1");
            assertEquals(1, count(path));
            Files.writeString(path.resolve("own"), "own data");
            node.unpublish("own");
            assertTrue(killed[0], "never reached");
            assertNothingLeft(node);
        }
        assertEquals("own data", Files.readString(storage.files("ext-1").resolve("own")));
    }

    /** What can be seen from outside at one moment. */
    private record Seen(List<String> mounts, List<Path> entries, int calls, Map<String, String> staged) {}

    /** A point, and what was seen at it. */
    private record Moment(JournalPoint point, Seen seen) {}

    @Test
    void everyOutsideEffectLiesBetweenTheTwoPointsOfItsDeed() throws Exception {
        Set<JournalPoint> reached = EnumSet.noneOf(JournalPoint.class);
        for (JournalPoint way : List.of(JournalPoint.BEFORE_STAGE, JournalPoint.BEFORE_TARGET_UNMOUNT)) {
            scriptFor(way);
            List<Moment> moments = new ArrayList<>();
            Seen first;
            Seen last;
            try (VolumeNode node =
                    new VolumeNode(directory, shim, MODE, point -> moments.add(new Moment(point, seen())))) {
                first = seen();
                node.publish("own", "ext-1");
                node.unpublish("own");
                last = seen();
            }
            assertEquals(first, moments.getFirst().seen());
            assertEquals(last, moments.getLast().seen());
            for (int i = 0; i < moments.size(); i += 2) {
                String before = moments.get(i).point().name();
                String after = moments.get(i + 1).point().name();
                assertTrue(before.startsWith("BEFORE_"), before);
                assertEquals(before.replace("BEFORE_", "AFTER_"), after);
                assertFalse(
                        moments.get(i).seen().equals(moments.get(i + 1).seen()),
                        () -> "nothing happened between " + before + " and " + after);
                if (i > 0) {
                    assertEquals(
                            moments.get(i - 1).seen(),
                            moments.get(i).seen(),
                            () -> "something happened before " + before);
                }
            }
            moments.forEach(moment -> reached.add(moment.point()));
        }
        assertEquals(EnumSet.allOf(JournalPoint.class), reached);
    }

    private Seen seen() {
        Path hostRoot = directory.resolve("csi/fake");
        try (Stream<Path> all = Files.exists(hostRoot) ? Files.walk(hostRoot) : Stream.empty()) {
            return new Seen(
                    MountTable.readTwice().atOrBelow(hostRoot).stream()
                            .map(Mount::target)
                            .toList(),
                    all.sorted().toList(),
                    plugin.calls().size(),
                    plugin.staged());
        } catch (IOException | KernelTrouble failed) {
            throw new IllegalStateException(failed);
        }
    }

    /** Lets another process reach the point and die there. */
    private void killAt(JournalPoint point, String otherVolume) throws Exception {
        scriptFor(point);
        DyingAgent.killAt(point, directory, shim, MODE, "ext-1", otherVolume);
        plugin.script("NodeUnpublishVolume", Behaviour.ok());
        plugin.script("NodeUnstageVolume", Behaviour.ok());
    }

    /** The agent unmounts by itself only what the plugin does not know any more. */
    private void scriptFor(JournalPoint point) {
        Behaviour unknown = Behaviour.refuse(Status.Code.NOT_FOUND, "no such volume");
        boolean target = point.name().endsWith("TARGET_UNMOUNT");
        boolean staging = point.name().endsWith("STAGING_UNMOUNT");
        plugin.script("NodeUnpublishVolume", target ? unknown : Behaviour.ok());
        plugin.script("NodeUnstageVolume", target || staging ? unknown : Behaviour.ok());
    }

    private VolumeNode restored() throws Exception {
        VolumeNode node = new VolumeNode(directory, shim, MODE, JournalPoint.Listener.NONE);
        int calls = plugin.calls().size();
        assertTrue(node.volumes.published("other", "data").isPresent());
        assertEquals(calls, plugin.calls().size(), "a restart asks no plugin");
        return node;
    }

    private static void assertOtherIsWell(VolumeNode node) throws IOException {
        Path other = node.volumes.published("other", "data").orElseThrow().path();
        assertEquals("other's data", Files.readString(other.resolve("other")));
    }

    private void endAll(VolumeNode node) throws Exception {
        Sweeper.Findings found = node.sweeper.sweep(List::of);
        assertEquals(new Sweeper.Findings(List.of(), List.of(), List.of()), found);
        node.unpublish("own");
        node.unpublish("other");
        assertNothingLeft(node);
    }

    private static void assertNothingLeft(VolumeNode node) throws Exception {
        assertFalse(node.knowsAnything());
        assertEquals(List.of(), MountTable.readTwice().atOrBelow(node.hostRoot));
        try (Stream<Path> all = Files.walk(node.hostRoot)) {
            assertEquals(List.of(node.hostRoot), all.toList());
        }
        assertEquals(List.of(), node.faults);
    }

    private static long count(Path path) throws Exception {
        return MountTable.readTwice().mounts().stream()
                .filter(mount -> mount.target().equals(path.toString()))
                .count();
    }
}
