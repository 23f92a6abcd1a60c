package io.cleat.agent.volumes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.agent.plugins.CurrentNodePlugins;
import io.cleat.agent.plugins.Feed;
import io.cleat.agent.plugins.LivePlugins;
import io.cleat.agent.plugins.PluginPaths;
import io.cleat.agent.plugins.PluginRegistry;
import io.cleat.agent.plugins.PluginSupervisor;
import io.cleat.agent.plugins.PluginTasks;
import io.cleat.agent.plugins.RegistryEvent;
import io.cleat.base.Chance;
import io.cleat.base.SystemTime;
import io.cleat.csi.RunEnds;
import io.cleat.kernel.Mounts;
import io.cleat.model.BlockedBy;
import io.cleat.model.CsiPluginSpec;
import io.cleat.model.PluginInstance;
import io.cleat.model.PluginType;
import io.cleat.testkit.Behaviour;
import io.cleat.testkit.Eventually;
import io.cleat.testkit.FakeCsiPlugin;
import io.cleat.testkit.FakeCsiSetup;
import io.cleat.testkit.ReceivedCall;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A plugin's job is updated while its volumes are mounted: for a time two instances of it run, then the new one alone.
 * The supervisor, the registry and the plugins' sockets are real.
 */
@Timeout(60)
class PluginTransitionTest {
    private static final Set<String> NODE_CALLS =
            Set.of("NodeStageVolume", "NodePublishVolume", "NodeUnpublishVolume", "NodeUnstageVolume");

    private final Ground ground;
    private final PluginRegistry registry;
    private final LivePlugins plugins;
    private final PluginSupervisor supervisor;
    private final Feed.Subscription told;
    private final LinkedBlockingQueue<String> events = new LinkedBlockingQueue<>();
    private final Map<String, FakeCsiPlugin> running = new LinkedHashMap<>();

    PluginTransitionTest() throws Exception {
        ground = Ground.make();
        registry = new PluginRegistry(ground.directory.resolve("registry"), new Feed(ground.threads));
        plugins = new LivePlugins(registry, new SystemTime(), Chance.system());
        supervisor = new PluginSupervisor(
                new PluginPaths(ground.root.path()),
                Mounts.linux(),
                ground.workers::of,
                id -> ground.volumes.pluginRoots(id),
                plugins,
                ground.news,
                ground.threads,
                new SystemTime(),
                Chance.system());
        told = registry.subscribe();
        told.next();
        ground.nodePlugins = new CurrentNodePlugins(plugins, ground.threads, new SystemTime());
        ground.restart();
        begin("old", ground.setup);
    }

    @AfterEach
    void clear() throws Exception {
        for (String alloc : List.copyOf(running.keySet())) {
            end(alloc);
        }
        registry.close();
        ground.close();
    }

    private static PluginTasks.PluginTask task(String alloc) {
        return new PluginTasks.PluginTask(
                alloc,
                "plugin",
                new CsiPluginSpec(
                        Ground.PLUGIN, PluginType.MONOLITH, "/csi", "/local/csi", Duration.ofSeconds(30), null),
                false);
    }

    /** Starts an instance as its task runner does, and waits until it is healthy. */
    private void begin(String alloc, FakeCsiSetup setup) throws Exception {
        PluginTasks.Prepared prepared = supervisor.beforeStart(task(alloc));
        Path socket = Path.of(prepared.endpoint().substring("unix://".length()));
        running.put(alloc, ground.plugin.another(socket, setup));
        supervisor.afterStart(task(alloc), new Listener(alloc));
        assertEquals(alloc + ": Plugin became healthy: plugin: " + Ground.PLUGIN, nextEvent());
    }

    private void end(String alloc) throws Exception {
        Objects.requireNonNull(running.remove(alloc)).close();
        supervisor.afterEnd(task(alloc), RunEnds.Reason.ASKED);
    }

    private String nextEvent() throws InterruptedException {
        return Objects.requireNonNull(events.poll(20, TimeUnit.SECONDS), "no event came");
    }

    private FakeCsiPlugin plugin(String alloc) {
        return Objects.requireNonNull(running.get(alloc));
    }

    private List<String> nodeCalls(String alloc) {
        return plugin(alloc).calls().stream()
                .map(ReceivedCall::name)
                .filter(NODE_CALLS::contains)
                .toList();
    }

    private String dispensed() {
        return ground.nodePlugins.current(Ground.PLUGIN).orElseThrow().allocId();
    }

    private List<String> registered() {
        List<String> all = new ArrayList<>();
        for (var event = told.poll(); event.isPresent(); event = told.poll()) {
            switch (event.get()) {
                case RegistryEvent.Registered(var one) -> all.add("+" + one.allocId() + " " + one.kind());
                case RegistryEvent.Deregistered(var one) -> all.add("-" + one.allocId() + " " + one.kind());
                case RegistryEvent.Updated(var one) -> all.add("~" + one.allocId());
                case RegistryEvent.Snapshot snapshot -> all.add("snapshot " + snapshot);
            }
        }
        return all;
    }

    /** Something that writes to a volume all the time, and notices each error. */
    private static final class Writer {
        final AtomicLong written = new AtomicLong();
        final AtomicReference<IOException> failed = new AtomicReference<>();
        private final Thread thread;

        Writer(Path file) {
            // Of the kernel: writing to files never lets another virtual thread have its turn.
            thread = Thread.ofPlatform().name("test/writer").start(() -> write(file));
        }

        private void write(Path file) {
            try (OutputStream out = Files.newOutputStream(file)) {
                // A file held open, and one opened anew each time.
                for (int i = 0; !Thread.currentThread().isInterrupted(); i++) {
                    if (i < 4096) {
                        out.write(1);
                    }
                    Files.writeString(file.resolveSibling("g"), Long.toString(i));
                    written.incrementAndGet();
                }
            } catch (IOException broken) {
                failed.set(broken);
            }
        }

        void awaitMore() throws Exception {
            long before = written.get();
            Eventually.holds(() -> failed.get() != null || written.get() > before + 100, "it writes on");
            assertEquals(null, failed.get());
        }

        void end() throws InterruptedException {
            thread.interrupt();
            assertTrue(thread.join(Duration.ofSeconds(20)));
        }
    }

    private final class Listener implements PluginTasks.Listener {
        private final String alloc;

        Listener(String alloc) {
            this.alloc = alloc;
        }

        @Override
        public void event(String type, String message) {
            events.add(alloc + ": " + type + ": " + message);
        }

        @Override
        public void neverHealthy(String reason) {
            events.add(alloc + ": never healthy: " + reason);
        }
    }

    @Test
    void anUpdateAndItsRollback_leaveMountsAndWorkloadsAlone() throws Exception {
        Path target = ground.publish("a1", "ext-1", Ground.SINGLE).path();
        assertEquals(List.of("NodeStageVolume", "NodePublishVolume"), nodeCalls("old"));
        List<String> mounts = ground.mounted();
        Writer writer = new Writer(target.resolve("f"));
        writer.awaitMore();
        registered();
        String last = "old";
        for (String version : List.of("2.0.0", "1.0.0")) {
            String next = "v" + version;
            begin(next, ground.setup.withIdentity("fake.csi.cleat.io", version));
            assertEquals(next, dispensed(), "the newest is dispensed");
            assertEquals(
                    2,
                    registry.all().stream()
                            .filter(r -> r.kind().name().equals("NODE"))
                            .count());
            writer.awaitMore();
            end(last);
            assertEquals(next, dispensed());
            assertEquals(
                    List.of(
                            "+" + next + " CONTROLLER",
                            "+" + next + " NODE",
                            "-" + last + " CONTROLLER",
                            "-" + last + " NODE"),
                    registered());
            assertEquals(
                    List.of(version),
                    plugins.facts().stream().map(PluginInstance::version).toList());
            writer.awaitMore();
            assertEquals(mounts, ground.mounted());
            assertEquals(List.of(), nodeCalls(next), "nothing is owed to what is mounted");
            last = next;
        }
        writer.end();
        assertEquals(null, writer.failed.get());
        ground.unpublish("a1");
        assertEquals(List.of("NodeUnpublishVolume", "NodeUnstageVolume"), nodeCalls(last));
        ground.assertNothingLeft();
    }

    private void startAgain(String alloc, RunEnds.Reason why) throws Exception {
        supervisor.afterEnd(task(alloc), why);
        supervisor.beforeStart(task(alloc));
        plugin(alloc).restart();
        supervisor.afterStart(task(alloc), new Listener(alloc));
    }

    /** It was staged again at each new run, until the plugin was out of restarts. */
    @Test
    void aStageThatEndsItsPlugin_waitsForAPersonAfterTwoEnds_andOthersAreMounted() throws Exception {
        plugin("old").script("NodeStageVolume", Behaviour.about("ext-2", Behaviour.crash()));
        Thread waiting = ground.threads.vitalWork("test/publish", () -> {
            try {
                ground.publish("a2", "ext-2", Ground.SINGLE);
            } catch (Exception failed) {
                events.add("not published: " + failed);
            }
        });
        for (String then : List.of("which is made again, alone", "cleat alloc restart old")) {
            plugin("old").awaitCrash();
            startAgain("old", RunEnds.Reason.BY_ITSELF);
            String told = nextEvent();
            assertTrue(told.contains("NodeStageVolume of volume \"ext-2\""), told);
            assertTrue(told.contains(then), told);
            assertTrue(nextEvent().contains("Plugin became healthy"));
        }
        BlockedBy wait = ground.told.await("it is not made again");
        assertEquals("stage", wait.step());
        assertTrue(wait.hint().contains("alloc restart"), wait.hint());
        ground.publish("a1", "ext-1", Ground.SINGLE);
        assertEquals(
                List.of("ext-2", "ext-2", "ext-1"),
                plugin("old").calls("NodeStageVolume").stream()
                        .map(ReceivedCall::volumeId)
                        .toList());
        plugin("old").script("NodeStageVolume", Behaviour.ok());
        plugin("old").crash();
        startAgain("old", RunEnds.Reason.ASKED);
        assertTrue(waiting.join(Duration.ofSeconds(60)));
        assertTrue(ground.volumes.published("a2", "data").isPresent());
        ground.unpublish("a1");
        ground.unpublish("a2");
        ground.assertNothingLeft();
    }

    @Test
    void theNewInstanceFails_andTheOldOneIsUsedAgain() throws Exception {
        ground.publish("a1", "ext-1", Ground.SINGLE);
        begin("bad", ground.setup.withIdentity("fake.csi.cleat.io", "2.0.0"));
        assertEquals("bad", dispensed());
        end("bad");
        assertEquals("old", dispensed());
        ground.unpublish("a1");
        ground.assertNothingLeft();
    }

    @Test
    void theOldInstanceEndsFirst_andUnmountingWaitsForTheNewOne() throws Exception {
        ground.publish("a1", "ext-1", Ground.SINGLE);
        end("old");
        Thread stopping = ground.threads.vitalWork("test/stop", () -> ground.unpublish("a1"));
        BlockedBy wait = Objects.requireNonNull(ground.told.waits.poll(20, TimeUnit.SECONDS), "no wait");
        assertTrue(wait.holder().contains(Ground.PLUGIN), wait.holder());
        begin("new", ground.setup);
        assertTrue(stopping.join(Duration.ofSeconds(20)));
        ground.assertNothingLeft();
    }

    @Test
    void aPluginWhoseNodeIdChanged_undoesWhatIsMountedAndMountsNothingNewBeforeThat() throws Exception {
        ground.publish("a1", "ext-1", Ground.SINGLE);
        begin("new", ground.setup.withNode("renamed", 0, Map.of()));
        end("old");
        Thread waiting = ground.threads.vitalWork("test/publish", () -> {
            try {
                ground.publish("a2", "ext-2", Ground.SINGLE);
            } catch (Exception failed) {
                events.add("not published: " + failed);
            }
        });
        BlockedBy wait = Objects.requireNonNull(ground.told.waits.poll(20, TimeUnit.SECONDS), "no wait");
        assertTrue(wait.holder().contains("\"renamed\""), wait.holder());
        assertTrue(wait.holder().contains("\"fake-node-1\""), wait.holder());
        assertTrue(wait.holder().contains("allocation a1"), wait.holder());
        assertEquals(List.of(), nodeCalls("new"));
        ground.unpublish("a1");
        assertTrue(waiting.join(Duration.ofSeconds(20)));
        assertEquals(null, events.poll());
        assertTrue(ground.volumes.published("a2", "data").isPresent());
        ground.unpublish("a2");
        ground.assertNothingLeft();
    }

    /** It waited for what it had begun itself to be unmounted, for ever. */
    @Test
    void aMountThatWasBegunUnderAnotherNodeId_isRefusedAndDoesNotWaitForItself() throws Exception {
        plugin("old").script("NodePublishVolume", Behaviour.crash());
        Thread mounting = ground.threads.vitalWork("test/publish", () -> {
            try {
                ground.publish("a1", "ext-1", Ground.SINGLE);
            } catch (Exception failed) {
                events.add("not published: " + failed.getMessage());
            }
        });
        plugin("old").awaitCrash();
        begin("new", ground.setup.withNode("renamed", 0, Map.of()));
        end("old");
        String why = nextEvent();
        assertTrue(why.startsWith("not published: "), why);
        assertTrue(why.contains("now calls this node \"renamed\""), why);
        assertTrue(why.contains("when it called it \"fake-node-1\""), why);
        assertTrue(mounting.join(Duration.ofSeconds(20)));
        ground.unpublish("a1");
        ground.assertNothingLeft();
        ground.publish("a2", "ext-1", Ground.SINGLE);
        ground.unpublish("a2");
        ground.assertNothingLeft();
    }
}
