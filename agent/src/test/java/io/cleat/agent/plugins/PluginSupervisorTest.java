package io.cleat.agent.plugins;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import io.cleat.base.Effect;
import io.cleat.base.PluginTrouble;
import io.cleat.csi.RunEnds;
import io.cleat.csi.v1.GetPluginInfoResponse;
import io.cleat.model.PluginInstance;
import io.cleat.model.PluginType;
import io.cleat.testkit.Behaviour;
import io.cleat.testkit.Eventually;
import io.cleat.testkit.FakeCsiPlugin;
import io.cleat.testkit.FakeCsiSetup;
import io.grpc.Status;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** When a plugin is registered, well or unwell, and what it says of itself. */
class PluginSupervisorTest extends SupervisorGround {
    PluginSupervisorTest() throws Exception {}

    /** A helper of the plugin may be started first. */
    @Test
    void aTaskBesideAPlugin_seesItsVolumesWhereThePluginDoes() throws Exception {
        Files.createDirectory(dir.resolve("csi"));
        PluginTasks.PluginTask isolated = task("plugin", PluginType.NODE, true);
        PluginTasks.HostMount before = supervisor.volumes(isolated);
        assertTrue(Files.isDirectory(before.hostPath()), before.toString());
        assertEquals("/local/csi", before.taskPath());
        assertTrue(supervisor.beforeStart(isolated).mounts().contains(before));
        PluginTasks.HostMount onHost = supervisor.volumes(task("plugin", PluginType.NODE, false));
        assertEquals(onHost.hostPath().toString(), onHost.taskPath());
    }

    @Test
    void aReplyWithTenMegabytesInOneWord_isRefusedInAFewWordsAndAskedAgain() throws Exception {
        PluginTasks.PluginTask task = task(Duration.ofSeconds(30));
        PluginTasks.Prepared prepared = supervisor.beforeStart(task);
        try (FakeCsiPlugin plugin = FakeCsiPlugin.start(socketOf(prepared))) {
            plugin.script("GetPluginInfo", Behaviour.answerHuge(10 << 20), Behaviour.ok());
            supervisor.afterStart(task, new Listener());
            String refused = nextEvent();
            assertTrue(refused.contains("failed to register plugin: p, reason: "), refused);
            assertTrue(refused.length() < 2000, refused.length() + " characters");
            assertEquals("Plugin became healthy | plugin: p", nextEvent());
            supervisor.afterEnd(task, RunEnds.Reason.ASKED);
        }
    }

    @Test
    void aReplyThatIsNoText_isRefusedAndAskedAgain() throws Exception {
        PluginTasks.PluginTask task = task(Duration.ofSeconds(30));
        PluginTasks.Prepared prepared = supervisor.beforeStart(task);
        // Field 1 is the name; half a character of UTF-8 is none.
        GetPluginInfoResponse broken = GetPluginInfoResponse.newBuilder()
                .setUnknownFields(UnknownFieldSet.newBuilder()
                        .addField(
                                1,
                                UnknownFieldSet.Field.newBuilder()
                                        .addLengthDelimited(ByteString.copyFrom(new byte[] {'a', (byte) 0xc3}))
                                        .build())
                        .build())
                .build();
        try (FakeCsiPlugin plugin = FakeCsiPlugin.start(socketOf(prepared))) {
            plugin.script("GetPluginInfo", Behaviour.answer(broken), Behaviour.ok());
            supervisor.afterStart(task, new Listener());
            String refused = nextEvent();
            assertTrue(refused.contains("failed to register plugin: p, reason: "), refused);
            assertEquals("Plugin became healthy | plugin: p", nextEvent());
            supervisor.afterEnd(task, RunEnds.Reason.ASKED);
        }
    }

    @Test
    void aSocketReplacedByAFile_isUnhealthyWithTheReasonUntilItIsASocketAgain() throws Exception {
        PluginTasks.PluginTask task = task(Duration.ofSeconds(30));
        try (FakeCsiPlugin plugin = healthy(task)) {
            plugin.crash();
            Files.delete(plugin.socket());
            Files.writeString(plugin.socket(), "not a socket");
            time.probes.release();
            String unhealthy = nextEvent();
            assertTrue(unhealthy.startsWith("Plugin became unhealthy | error: "), unhealthy);
            PluginInstance seen =
                    registry.current(PluginKind.NODE, "p").orElseThrow().facts();
            assertFalse(seen.healthy());
            assertTrue(unhealthy.contains(seen.healthDescription()), seen.healthDescription());
            assertEquals("not a socket", Files.readString(plugin.socket()));
            plugin.restart();
            time.probes.release();
            assertEquals("Plugin became healthy | plugin: p", nextEvent());
            supervisor.afterEnd(task, RunEnds.Reason.ASKED);
        }
    }

    @Test
    void whatAPluginSaysOfItselfAfterARestart_isTakenIn() throws Exception {
        PluginTasks.PluginTask task = task(Duration.ofSeconds(30));
        try (FakeCsiPlugin plugin = healthy(task)) {
            Feed.Subscription told = registry.subscribe();
            told.next();
            plugin.restart(FakeCsiSetup.standard()
                    .withIdentity("fake.csi.cleat.io", "2.0.0")
                    .withCapabilities(Set.of(), Set.of())
                    .withNode("renamed", 3, Map.of()));
            time.probes.release();
            RegistryEvent.Updated updated = (RegistryEvent.Updated) told.next().orElseThrow();
            PluginInstance now = updated.registration().facts();
            assertEquals("2.0.0", now.version());
            PluginInstance.Node node = Objects.requireNonNull(now.node());
            assertEquals("renamed", node.externalNodeId());
            assertEquals(3, node.maxVolumes());
            assertEquals(Set.of(), node.capabilities());
            supervisor.afterEnd(task, RunEnds.Reason.ASKED);
        }
    }

    /** Each probe of an idle node moved the index of the nodes, and woke all who waited for it. */
    @Test
    void probeThatFindsNothingNew_changesNothing() throws Exception {
        PluginTasks.PluginTask task = task(Duration.ofSeconds(30));
        try (FakeCsiPlugin plugin = healthy(task)) {
            PluginInstance before =
                    registry.current(PluginKind.NODE, "p").orElseThrow().facts();
            int asked = plugin.calls("NodeGetInfo").size();
            // By the second of them what the first one found is written down.
            time.probes.release(2);
            Eventually.holds(() -> plugin.calls("NodeGetInfo").size() == asked + 2, "it is asked twice");
            assertEquals(
                    before, registry.current(PluginKind.NODE, "p").orElseThrow().facts());
            supervisor.afterEnd(task, RunEnds.Reason.ASKED);
        }
    }

    @Test
    void twoPluginsOfDifferentProvidersWithOneId_theFirstKeepsItUntilItEnds() throws Exception {
        PluginTasks.PluginTask first = task(Duration.ofSeconds(30));
        PluginTasks.PluginTask second = task("alloc-2", Duration.ofSeconds(30));
        Path socket = socketOf(supervisor.beforeStart(first));
        Path other = socketOf(supervisor.beforeStart(second));
        try (FakeCsiPlugin one = FakeCsiPlugin.start(socket);
                FakeCsiPlugin two =
                        FakeCsiPlugin.start(other, FakeCsiSetup.standard().withIdentity("other.csi", "9"))) {
            supervisor.afterStart(first, new Listener());
            assertEquals("Plugin became healthy | plugin: p", nextEvent());
            supervisor.afterStart(second, new Listener());
            String refused = nextEvent();
            assertTrue(refused.contains("fake.csi.cleat.io (allocation alloc-1)"), refused);
            assertTrue(refused.contains("other.csi"), refused);
            assertEquals(
                    "alloc-1",
                    registry.current(PluginKind.NODE, "p").orElseThrow().allocId());
            one.crash();
            supervisor.afterEnd(first, RunEnds.Reason.ASKED);
            assertEquals("Plugin became healthy | plugin: p", nextEvent());
            assertEquals(
                    "alloc-2",
                    registry.current(PluginKind.NODE, "p").orElseThrow().allocId());
            assertFalse(two.calls().isEmpty());
            supervisor.afterEnd(second, RunEnds.Reason.ASKED);
        }
    }

    @Test
    void aDefinitionThatWouldMoveWhatIsMountedIsRefused() throws Exception {
        PluginTasks.PluginTask task = task(Duration.ofSeconds(30));
        roots = Set.of(dir.resolve("csi/p"));
        supervisor.beforeStart(task);
        roots = Set.of(Path.of("/local/other"));
        PluginTrouble refused = assertThrows(PluginTrouble.class, () -> supervisor.beforeStart(task));
        assertTrue(refused.reason().contains("/local/other"), refused.reason());
        assertEquals(Effect.NONE, refused.effect());
    }

    @Test
    void aPluginIsRegisteredAsSoonAsItsSocketAnswersAndThenSaidToBeHealthy() throws Exception {
        PluginTasks.PluginTask task = task(Duration.ofSeconds(30));
        PluginTasks.Prepared prepared = supervisor.beforeStart(task);
        assertEquals(prepared, supervisor.beforeStart(task));
        supervisor.afterStart(task, new Listener());
        supervisor.afterStart(task, new Listener());
        try (FakeCsiPlugin plugin = FakeCsiPlugin.start(socketOf(prepared))) {
            assertEquals("Plugin became healthy | plugin: p", nextEvent());
            assertTrue(
                    registry.current(PluginKind.NODE, "p").orElseThrow().facts().healthy());
            assertTrue(registry.current(PluginKind.CONTROLLER, "p").isPresent());
            assertEquals(1, plugins.facts().size());
            supervisor.afterEnd(task, RunEnds.Reason.ASKED);
            assertFalse(plugin.calls().isEmpty());
        }
        assertEquals(List.of(), registry.all());
        assertFalse(Files.exists(socketOf(prepared).getParent()));
        supervisor.afterEnd(task, RunEnds.Reason.ASKED);
        assertTrue(events.isEmpty(), events.toString());
    }

    @Test
    void healthyIsNotSaidBeforeRegistrationWorked() throws Exception {
        PluginTasks.PluginTask task = task(Duration.ofSeconds(30));
        PluginTasks.Prepared prepared = supervisor.beforeStart(task);
        try (FakeCsiPlugin plugin = FakeCsiPlugin.start(socketOf(prepared))) {
            plugin.script("GetPluginInfo", Behaviour.refuse(Status.Code.INTERNAL, "not yet"), Behaviour.ok());
            supervisor.afterStart(task, new Listener());
            String first = nextEvent();
            assertTrue(first.startsWith("Plugin became unhealthy | failed to register plugin: p, reason: "), first);
            assertEquals("Plugin became healthy | plugin: p", nextEvent());
            supervisor.afterEnd(task, RunEnds.Reason.ASKED);
        }
    }

    @Test
    void aPluginThatNeverAnswersIsEndedAfterItsTime() throws Exception {
        PluginTasks.PluginTask task = task(Duration.ofMillis(100));
        supervisor.beforeStart(task);
        supervisor.afterStart(task, new Listener());
        String first = nextEvent();
        assertTrue(first.startsWith("Plugin became unhealthy | Error: CSI plugin failed probe: "), first);
        assertTrue(nextEvent().startsWith("never healthy"), "the task is to be restarted");
        supervisor.afterEnd(task, RunEnds.Reason.ASKED);
    }

    @Test
    void theProbeThatItsTimeCutsShort_hidesNotWhatAnEarlierOneFound() throws Exception {
        PluginTasks.PluginTask task = task(Duration.ofSeconds(5));
        PluginTasks.Prepared prepared = supervisor.beforeStart(task);
        try (FakeCsiPlugin plugin = FakeCsiPlugin.start(socketOf(prepared))) {
            plugin.script("Probe", Behaviour.refuse(Status.Code.INTERNAL, "no such array"), Behaviour.hang());
            supervisor.afterStart(task, new Listener());
            String first = nextEvent();
            assertTrue(first.contains("no such array"), first);
            supervisor.afterEnd(task, RunEnds.Reason.ASKED);
        }
    }

    /** They had one directory and one socket, and the end of either was that of both. */
    @Test
    void controllerAndNodeTaskOfOneGroup_haveASocketEachAndOutliveEachOther() throws Exception {
        PluginTasks.PluginTask controller = task("controller", PluginType.CONTROLLER, false);
        PluginTasks.PluginTask node = task("node", PluginType.NODE, false);
        Path first = socketOf(supervisor.beforeStart(controller));
        Path second = socketOf(supervisor.beforeStart(node));
        assertNotEquals(first, second);
        try (FakeCsiPlugin one = FakeCsiPlugin.start(first);
                FakeCsiPlugin two = FakeCsiPlugin.start(second)) {
            supervisor.afterStart(controller, new Listener());
            assertEquals("Plugin became healthy | plugin: p", nextEvent());
            supervisor.afterStart(node, new Listener());
            assertEquals("Plugin became healthy | plugin: p", nextEvent());
            one.crash();
            supervisor.afterEnd(controller, RunEnds.Reason.ASKED);
            assertTrue(registry.current(PluginKind.CONTROLLER, "p").isEmpty());
            Registration stays = registry.current(PluginKind.NODE, "p").orElseThrow();
            assertEquals(second.toString(), stays.socket());
            assertTrue(Files.exists(second));
            int before = two.calls().size();
            time.probes.release();
            while (two.calls().size() == before) {
                Thread.onSpinWait();
            }
            supervisor.afterEnd(node, RunEnds.Reason.ASKED);
        }
        assertEquals(List.of(), registry.all());
    }

    /** A controller sees no mounts, so no root was ever told to it. */
    @Test
    void controllerUnderAnotherDriver_isNotHeldToTheRootOfTheNodesPlugin() throws Exception {
        roots = Set.of(Path.of("/local/csi"));
        supervisor.beforeStart(task("controller", PluginType.CONTROLLER, false));
        supervisor.beforeStart(task("node", PluginType.NODE, true));
        assertThrows(PluginTrouble.class, () -> supervisor.beforeStart(task("node", PluginType.NODE, false)));
    }
}
