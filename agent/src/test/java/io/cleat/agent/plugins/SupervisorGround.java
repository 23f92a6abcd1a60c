package io.cleat.agent.plugins;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.cleat.agent.report.News;
import io.cleat.base.Deadline;
import io.cleat.base.SystemTime;
import io.cleat.base.Threads;
import io.cleat.base.Time;
import io.cleat.kernel.Mounts;
import io.cleat.kernel.PathWorkers;
import io.cleat.model.CsiPluginSpec;
import io.cleat.model.NodeEvent;
import io.cleat.model.PluginType;
import io.cleat.model.VolumeEvent;
import io.cleat.model.VolumeId;
import io.cleat.testkit.FakeCsiPlugin;
import io.cleat.testkit.ShimProgram;
import io.cleat.wire.ToServer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A supervisor over a registry in a directory of its own, whose tasks are played by plugins of the test. */
abstract class SupervisorGround {
    @TempDir
    Path dir;

    final LinkedBlockingQueue<String> events = new LinkedBlockingQueue<>();
    final LinkedBlockingQueue<String> nodeEvents = new LinkedBlockingQueue<>();
    final LinkedBlockingQueue<ToServer.OrderDone> done = new LinkedBlockingQueue<>();
    final Threads threads = Threads.virtual((where, fault) -> events.add("fault in " + where + ": " + fault));
    final ProbeTime time = new ProbeTime();
    final News news = new TestNews();
    Set<Path> roots = Set.of();
    PluginRegistry registry;
    LivePlugins plugins;
    PluginSupervisor supervisor;
    final PathWorkers workers;

    SupervisorGround() throws Exception {
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

    static PluginTasks.PluginTask task(Duration healthTimeout) {
        return task("alloc-1", healthTimeout);
    }

    static PluginTasks.PluginTask task(String alloc, Duration healthTimeout) {
        return new PluginTasks.PluginTask(
                alloc,
                "plugin",
                new CsiPluginSpec("p", PluginType.MONOLITH, "/csi", "/local/csi", healthTimeout, null),
                false);
    }

    static PluginTasks.PluginTask task(String name, PluginType type, boolean isolated) {
        return new PluginTasks.PluginTask(
                "alloc-1",
                name,
                new CsiPluginSpec("p", type, "/csi", "/local/csi", Duration.ofSeconds(30), null),
                isolated);
    }

    /** Another agent over the same data directory; the one before watches on, which no real one does. */
    void nextAgent() throws Exception {
        registry.close();
        start();
    }

    String nextEvent() throws InterruptedException {
        return Objects.requireNonNull(events.poll(20, TimeUnit.SECONDS), "no event came");
    }

    Path socketOf(PluginTasks.Prepared prepared) {
        return Path.of(prepared.endpoint().substring("unix://".length()));
    }

    /** The plugin of a task, once it is said to be well. */
    FakeCsiPlugin healthy(PluginTasks.PluginTask task) throws Exception {
        FakeCsiPlugin plugin = FakeCsiPlugin.start(socketOf(supervisor.beforeStart(task)));
        supervisor.afterStart(task, new Listener());
        assertEquals("Plugin became healthy | plugin: p", nextEvent());
        return plugin;
    }

    /** The time of the machine, but for the pause between two probes: a test says when it is over. */
    static final class ProbeTime implements Time {
        private final SystemTime real = new SystemTime();
        final Semaphore probes = new Semaphore(0);

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

    final class Listener implements PluginTasks.Listener {
        @Override
        public void event(String type, String message) {
            events.add(type + " | " + message);
        }

        @Override
        public void neverHealthy(String reason) {
            events.add("never healthy | " + reason);
        }
    }

    final class TestNews implements News {
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
