package io.cleat.agent.plugins;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import io.cleat.agent.report.News;
import io.cleat.base.Deadline;
import io.cleat.base.Effect;
import io.cleat.base.PluginTrouble;
import io.cleat.base.Secrets;
import io.cleat.base.SystemTime;
import io.cleat.base.Threads;
import io.cleat.base.Time;
import io.cleat.csi.RunEnds;
import io.cleat.csi.v1.GetPluginInfoResponse;
import io.cleat.csi.v1.NodeStageVolumeRequest;
import io.cleat.kernel.Mounts;
import io.cleat.kernel.PathWorkers;
import io.cleat.model.AccessMode;
import io.cleat.model.AttachmentMode;
import io.cleat.model.CsiPluginSpec;
import io.cleat.model.MountOptions;
import io.cleat.model.NodeEvent;
import io.cleat.model.PluginInstance;
import io.cleat.model.PluginType;
import io.cleat.model.TopologyRequest;
import io.cleat.model.VolumeEvent;
import io.cleat.model.VolumeId;
import io.cleat.model.VolumeModes;
import io.cleat.testkit.Behaviour;
import io.cleat.testkit.Eventually;
import io.cleat.testkit.FakeCsiPlugin;
import io.cleat.testkit.FakeCsiSetup;
import io.cleat.testkit.FuseEffects;
import io.cleat.testkit.ShimProgram;
import io.cleat.wire.ControllerCall;
import io.cleat.wire.ControllerReply;
import io.cleat.wire.OrderOutcome;
import io.cleat.wire.ToNode;
import io.cleat.wire.ToServer;
import io.grpc.Status;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PluginSupervisorTest {
    @TempDir
    Path dir;

    private final LinkedBlockingQueue<String> events = new LinkedBlockingQueue<>();
    private final LinkedBlockingQueue<String> nodeEvents = new LinkedBlockingQueue<>();
    private final LinkedBlockingQueue<ToServer.OrderDone> done = new LinkedBlockingQueue<>();
    private final Threads threads = Threads.virtual((where, fault) -> events.add("fault in " + where + ": " + fault));
    private final ProbeTime time = new ProbeTime();
    private final News news = new TestNews();
    private Set<Path> roots = Set.of();
    private PluginRegistry registry;
    private LivePlugins plugins;
    private PluginSupervisor supervisor;
    private final PathWorkers workers;

    PluginSupervisorTest() throws Exception {
        workers = new PathWorkers(ShimProgram.built(), threads, new SystemTime());
    }

    @BeforeEach
    void start() throws Exception {
        registry = new PluginRegistry(dir.resolve("registry"), new Feed(threads));
        plugins = new LivePlugins(registry, time, bound -> 0);
        supervisor = new PluginSupervisor(
                new PluginPaths(dir.resolve("csi")),
                Mounts.linux(),
                workers::of,
                plugin -> roots,
                plugins,
                news,
                threads,
                time,
                bound -> 0);
    }

    @AfterEach
    void close() {
        registry.close();
        workers.close();
    }

    private static PluginTasks.PluginTask task(Duration healthTimeout) {
        return task("alloc-1", healthTimeout);
    }

    private static PluginTasks.PluginTask task(String alloc, Duration healthTimeout) {
        return new PluginTasks.PluginTask(
                alloc,
                "plugin",
                new CsiPluginSpec("p", PluginType.MONOLITH, "/csi", "/local/csi", healthTimeout, null),
                false);
    }

    private static PluginTasks.PluginTask task(String name, PluginType type, boolean isolated) {
        return new PluginTasks.PluginTask(
                "alloc-1",
                name,
                new CsiPluginSpec("p", type, "/csi", "/local/csi", Duration.ofSeconds(30), null),
                isolated);
    }

    /** Another agent over the same data directory; the one before watches on, which no real one does. */
    private void nextAgent() throws Exception {
        registry.close();
        start();
    }

    private String nextEvent() throws InterruptedException {
        return Objects.requireNonNull(events.poll(20, TimeUnit.SECONDS), "no event came");
    }

    private Path socketOf(PluginTasks.Prepared prepared) {
        return Path.of(prepared.endpoint().substring("unix://".length()));
    }

    /** The plugin of a task, once it is said to be well. */
    private FakeCsiPlugin healthy(PluginTasks.PluginTask task) throws Exception {
        FakeCsiPlugin plugin = FakeCsiPlugin.start(socketOf(supervisor.beforeStart(task)));
        supervisor.afterStart(task, new Listener());
        assertEquals("Plugin became healthy | plugin: p", nextEvent());
        return plugin;
    }

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

    /** The time of the machine, but for the pause between two probes: a test says when it is over. */
    private static final class ProbeTime implements Time {
        private final SystemTime real = new SystemTime();
        private final Semaphore probes = new Semaphore(0);

        @Override
        public Instant now() {
            return real.now();
        }

        @Override
        public long nanos() {
            return real.nanos();
        }

        @Override
        public void sleep(Duration duration) throws InterruptedException {
            if (duration.equals(Duration.ofSeconds(30))) {
                probes.acquire();
            } else {
                real.sleep(duration);
            }
        }

        @Override
        public boolean await(Condition condition, Deadline deadline) throws InterruptedException {
            return real.await(condition, deadline);
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

    /** A FUSE plugin that was slow to answer a new agent was stopped, and all its mounts died. */
    @Test
    void pluginThatAnEarlierAgentRegistered_isUnhealthyWhenItIsSilentAndNotEnded() throws Exception {
        PluginTasks.PluginTask task = task(Duration.ofSeconds(30));
        try (FakeCsiPlugin plugin = healthy(task)) {
            plugin.script("Probe", Behaviour.hang());
            nextAgent();
            supervisor.afterStart(task(Duration.ofMillis(300)), new Listener());
            String told = nextEvent();
            assertTrue(told.startsWith("Plugin became unhealthy | error: "), told);
            assertFalse(
                    registry.current(PluginKind.NODE, "p").orElseThrow().facts().healthy());
            plugin.script("Probe", Behaviour.ok());
            time.probes.release(2);
            assertEquals("Plugin became healthy | plugin: p", nextEvent());
            assertTrue(events.isEmpty(), events.toString());
            supervisor.afterEnd(task, RunEnds.Reason.ASKED);
        }
    }

    /** An earlier version named the control directory for the allocation alone. */
    @Test
    void pluginThatAnEarlierAgentRegisteredElsewhere_isFoundThereAndLeavesNothing() throws Exception {
        PluginTasks.PluginTask task = task(Duration.ofSeconds(30));
        supervisor.beforeStart(task);
        supervisor.afterEnd(task, RunEnds.Reason.ASKED);
        Path old = Files.createDirectories(dir.resolve("csi/plugins/alloc-1"));
        try (FakeCsiPlugin plugin = FakeCsiPlugin.start(old.resolve("csi.sock"))) {
            registry.register(registered(task, old.resolve("csi.sock")));
            nextAgent();
            supervisor.afterStart(task, new Listener());
            while (plugin.calls("Probe").isEmpty()) {
                Thread.onSpinWait();
            }
            supervisor.afterEnd(task, RunEnds.Reason.ASKED);
        }
        assertFalse(Files.exists(old));
        assertEquals(List.of(), registry.all());
        assertTrue(supervisor.beforeStart(task).endpoint().matches(".*/alloc-1-[0-9a-f]{16}/csi.sock"));
    }

    private static Registration registered(PluginTasks.PluginTask task, Path socket) {
        return new Registration(
                PluginKind.NODE,
                task.spec().id(),
                task.allocId(),
                socket.toString(),
                "/v",
                "/v",
                new PluginInstance(
                        "p",
                        task.allocId(),
                        true,
                        "healthy",
                        "fake.csi.cleat.io",
                        "1",
                        false,
                        false,
                        Instant.EPOCH,
                        null,
                        null),
                null);
    }

    /** A controller sees no mounts, so no root was ever told to it. */
    @Test
    void controllerUnderAnotherDriver_isNotHeldToTheRootOfTheNodesPlugin() throws Exception {
        roots = Set.of(Path.of("/local/csi"));
        supervisor.beforeStart(task("controller", PluginType.CONTROLLER, false));
        supervisor.beforeStart(task("node", PluginType.NODE, true));
        assertThrows(PluginTrouble.class, () -> supervisor.beforeStart(task("node", PluginType.NODE, false)));
    }

    /** A plugin whose socket was gone was shown healthy for a minute after an agent's start. */
    @Test
    void aPluginOfAnEarlierAgent_isHealthyOnceItHasAnsweredThisOne() throws Exception {
        PluginTasks.PluginTask task = task(Duration.ofSeconds(30));
        PluginTasks.Prepared prepared = supervisor.beforeStart(task);
        try (var _ = FakeCsiPlugin.start(socketOf(prepared))) {
            supervisor.afterStart(task, new Listener());
            nextEvent();
            assertTrue(plugins.facts().getFirst().healthy());
            LivePlugins later = new LivePlugins(registry, time, bound -> 0);
            PluginInstance before = later.facts().getFirst();
            assertFalse(before.healthy());
            assertEquals("it has not answered since this agent started", before.healthDescription());
            assertEquals(1, later.facts().size());
            later.awaitAsked(Deadline.in(time, Duration.ofSeconds(1)));
            later.register(registry.all().getFirst());
            later.awaitAsked(Deadline.in(time, Duration.ofDays(1)));
            assertTrue(later.facts().getFirst().healthy());
            supervisor.afterEnd(task, RunEnds.Reason.ASKED);
        }
    }

    @Test
    void anOrderIsCarriedOutOnceAndItsEndIsKept() throws Exception {
        PluginTasks.PluginTask task = task(Duration.ofSeconds(30));
        PluginTasks.Prepared prepared = supervisor.beforeStart(task);
        ControllerOrders orders = new ControllerOrders(plugins, news, threads, time);
        try (FakeCsiPlugin plugin = FakeCsiPlugin.start(socketOf(prepared))) {
            supervisor.afterStart(task, new Listener());
            nextEvent();
            ToNode.Order order = new ToNode.Order("op-1", 5, "p", "alloc-1", create("vol"));
            orders.begin(order);
            ToServer.OrderDone end = Objects.requireNonNull(done.poll(20, TimeUnit.SECONDS));
            assertTrue(
                    end.outcome() instanceof OrderOutcome.Done(ControllerReply.Created created)
                            && created.externalId().equals("ext-vol"),
                    end.toString());
            assertEquals(end.outcome(), orders.outcome("op-1").orElseThrow());
            orders.begin(new ToNode.Order("op-2", 4, "p", "alloc-1", create("late")));
            assertEquals(Effect.NONE, failed(done.poll(20, TimeUnit.SECONDS)).effect());
            orders.begin(new ToNode.Order("op-3", 5, "p", "gone", create("other")));
            assertEquals(Effect.NONE, failed(done.poll(20, TimeUnit.SECONDS)).effect());
            assertEquals(1, plugin.volumes().size());
            // After a recovery the servers' reign is an earlier one: nothing was ever made again.
            orders.beginAnew();
            orders.begin(new ToNode.Order("op-4", 2, "p", "alloc-1", create("after")));
            ToServer.OrderDone after = Objects.requireNonNull(done.poll(20, TimeUnit.SECONDS));
            assertTrue(after.outcome() instanceof OrderOutcome.Done, after.toString());
            supervisor.afterEnd(task, RunEnds.Reason.ASKED);
        }
    }

    private static OrderOutcome.Failed failed(ToServer.OrderDone end) {
        return (OrderOutcome.Failed) end.outcome();
    }

    private static ControllerCall create(String name) {
        return new ControllerCall.Create(
                name,
                0,
                0,
                List.of(new VolumeModes(AccessMode.SINGLE_NODE_WRITER, AttachmentMode.FILE_SYSTEM)),
                MountOptions.NONE,
                Map.of(),
                Secrets.none(),
                TopologyRequest.NONE,
                "",
                "");
    }

    private final class Listener implements PluginTasks.Listener {
        @Override
        public void event(String type, String message) {
            events.add(type + " | " + message);
        }

        @Override
        public void neverHealthy(String reason) {
            events.add("never healthy | " + reason);
        }
    }

    private final class TestNews implements News {
        @Override
        public void allocationChanged(String allocId) {}

        @Override
        public void factsChanged() {}

        @Override
        public void nodeEvent(NodeEvent event) {
            nodeEvents.add(event.message() + " " + event.details());
        }

        @Override
        public void volumeEvent(VolumeId volume, VolumeEvent event) {}

        @Override
        public void orderDone(ToServer.OrderDone end) {
            done.add(end);
        }
    }
}
