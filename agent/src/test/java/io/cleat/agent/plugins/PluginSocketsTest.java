package io.cleat.agent.plugins;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.csi.RunEnds;
import io.cleat.csi.v1.NodeStageVolumeRequest;
import io.cleat.kernel.Mounts;
import io.cleat.testkit.FakeCsiPlugin;
import io.cleat.testkit.FuseEffects;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** The directory that a plugin makes its socket in: whose it is, and what is left of it. */
class PluginSocketsTest extends SupervisorGround {
    PluginSocketsTest() throws Exception {}

    /** A temporary directory has thirty letters and more, and the path of a socket at most 107. */
    @Test
    void aSocketHasRoomBelowADataDirectoryOfFiftyLetters() throws Exception {
        PluginPaths paths = new PluginPaths(Path.of("/" + "d".repeat(49), "client/csi"));
        String id = "2849ded8-c520-74d0-6e49-2a300b1810ee";
        Path socket = paths.socket(task(id, Duration.ofSeconds(30)));
        assertTrue(socket.toString().contains("2849ded8"), socket.toString());
        assertNotEquals(paths.control(id, "a"), paths.control(id, "b"));
    }

    @Test
    void socketThatIsALinkToAnotherPlugins_isRefusedByName() throws Exception {
        PluginTasks.PluginTask first = task("alloc-1", Duration.ofSeconds(30));
        PluginTasks.PluginTask thief = task("alloc-2", Duration.ofSeconds(5));
        Path socket = socketOf(supervisor.beforeStart(first));
        Path link = socketOf(supervisor.beforeStart(thief));
        try (FakeCsiPlugin plugin = FakeCsiPlugin.start(socket)) {
            Files.createSymbolicLink(link, socket);
            supervisor.afterStart(thief, new Listener());
            String refused = nextEvent();
            assertTrue(refused.contains(link + " leads over"), refused);
            assertTrue(refused.contains("a link"), refused);
            assertTrue(nextEvent().startsWith("never healthy"));
            assertEquals(List.of(), plugin.calls());
            supervisor.afterEnd(thief, RunEnds.Reason.ASKED);
        }
        assertFalse(Files.exists(link, LinkOption.NOFOLLOW_LINKS));
        supervisor.afterEnd(first, RunEnds.Reason.ASKED);
    }

    @Test
    void socketOfAPluginThatRunsAsAUser_isThatUsersAndNoOthers() throws Exception {
        Assumptions.assumeTrue(
                "root".equals(System.getProperty("user.name")), "reason: giving a socket away needs root");
        PluginTasks.PluginTask task = task("alloc-1", Duration.ofSeconds(1)).of(List.of(12_345L, 12_346L));
        Path socket = socketOf(supervisor.beforeStart(task));
        Path control = Objects.requireNonNull(socket.getParent());
        assertEquals(12_345, Files.getAttribute(control, "unix:uid"));
        assertEquals(12_346, Files.getAttribute(control, "unix:gid"));
        try (FakeCsiPlugin plugin = FakeCsiPlugin.start(socket)) {
            supervisor.afterStart(task, new Listener());
            String refused = nextEvent();
            assertTrue(refused.contains("belongs to user 0, expected user 12345"), refused);
            assertTrue(nextEvent().startsWith("never healthy"));
            assertEquals(List.of(), plugin.calls());
            supervisor.afterEnd(task, RunEnds.Reason.ASKED);
        }
        assertEquals(socket, socketOf(supervisor.beforeStart(task)));
        try (FakeCsiPlugin plugin = FakeCsiPlugin.start(socket)) {
            Files.setAttribute(socket, "unix:uid", 12_345);
            supervisor.afterStart(task, new Listener());
            assertEquals("Plugin became healthy | plugin: p", nextEvent());
            assertFalse(plugin.calls().isEmpty());
            supervisor.afterEnd(task, RunEnds.Reason.ASKED);
        }
    }

    @Test
    void socketThatIsMadeADirectory_endsWithThePluginAndIsTold() throws Exception {
        PluginTasks.PluginTask task = task(Duration.ofSeconds(30));
        Path socket = socketOf(supervisor.beforeStart(task));
        Files.createDirectories(socket.resolve("full"));
        supervisor.afterEnd(task, RunEnds.Reason.ASKED);
        String told = Objects.requireNonNull(nodeEvents.poll());
        assertTrue(told.contains("was left") && told.contains(socket.toString()), told);
    }

    /** A plugin that is killed while it starts leaves the socket that it was making. */
    @Test
    void whatAKilledPluginLeavesBesideItsSocket_goesWithIt() throws Exception {
        PluginTasks.PluginTask task = task(Duration.ofSeconds(30));
        Path control =
                Objects.requireNonNull(socketOf(supervisor.beforeStart(task)).getParent());
        Files.writeString(control.resolve("lock"), "4711");
        Files.writeString(Files.createDirectory(control.resolve(".n")).resolve("s"), "");
        supervisor.afterEnd(task, RunEnds.Reason.ASKED);
        assertFalse(Files.exists(control));
        assertTrue(nodeEvents.isEmpty(), nodeEvents.toString());
    }

    @Test
    void whatAPluginKeepsBesideItsSocket_stays() throws Exception {
        PluginTasks.PluginTask task = task(Duration.ofSeconds(30));
        Path control =
                Objects.requireNonNull(socketOf(supervisor.beforeStart(task)).getParent());
        Path deep = Files.createDirectories(control.resolve("a/b/c"));
        supervisor.afterEnd(task, RunEnds.Reason.ASKED);
        assertTrue(Files.exists(deep));
    }

    @Test
    void mountsOverTheControlDirectory_areTakenAwayWithThePlugin() throws Exception {
        Assumptions.assumeTrue("root".equals(System.getProperty("user.name")), "reason: mounting needs root");
        PluginTasks.PluginTask task = task(Duration.ofSeconds(30));
        Path control = Objects.requireNonNull(
                        socketOf(supervisor.beforeStart(task)).getParent())
                .toRealPath();
        Path other = Files.createDirectory(dir.resolve("other"));
        Files.writeString(other.resolve("canary"), "alive");
        Mounts.linux().bind(other, control);
        Mounts.linux().bind(other, control);
        supervisor.afterEnd(task, RunEnds.Reason.ASKED);
        assertFalse(Files.exists(control));
        assertEquals("alive", Files.readString(other.resolve("canary")));
        assertTrue(nodeEvents.isEmpty(), nodeEvents.toString());
    }

    /** A look at it held up what carries virtual threads, for as long as it hung. */
    @Test
    void controlDirectoryThatHangs_isUnhealthyAndTakenAwayWithThePlugin() throws Exception {
        Assumptions.assumeTrue("root".equals(System.getProperty("user.name")), "reason: mounting needs root");
        FuseEffects fuse = FuseEffects.over(Files.createDirectory(dir.resolve("pool")), dir.toRealPath());
        PluginTasks.PluginTask task = task(Duration.ofSeconds(1));
        Path control = Objects.requireNonNull(
                        socketOf(supervisor.beforeStart(task)).getParent())
                .toRealPath();
        try {
            fuse.stage(NodeStageVolumeRequest.newBuilder()
                    .setVolumeId("v")
                    .setStagingTargetPath(control.toString())
                    .build());
            fuse.freeze();
            supervisor.afterStart(task, new Listener());
            String unhealthy = nextEvent();
            assertTrue(unhealthy.contains("it hangs and was given up"), unhealthy);
            assertTrue(nextEvent().startsWith("never healthy"));
            supervisor.afterEnd(task, RunEnds.Reason.ASKED);
            assertFalse(Files.exists(control));
            assertTrue(nodeEvents.isEmpty(), nodeEvents.toString());
        } finally {
            fuse.end();
        }
    }
}
