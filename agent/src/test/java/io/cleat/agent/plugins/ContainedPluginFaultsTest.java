package io.cleat.agent.plugins;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.agent.report.News;
import io.cleat.base.Deadline;
import io.cleat.base.Effect;
import io.cleat.base.FaultHandler;
import io.cleat.base.Secrets;
import io.cleat.base.SystemTime;
import io.cleat.base.Threads;
import io.cleat.base.Time;
import io.cleat.csi.RunEnds;
import io.cleat.kernel.Mounts;
import io.cleat.kernel.PathWorkers;
import io.cleat.model.CsiPluginSpec;
import io.cleat.model.NodeEvent;
import io.cleat.model.PluginType;
import io.cleat.model.VolumeEvent;
import io.cleat.model.VolumeId;
import io.cleat.testkit.FakeCsiPlugin;
import io.cleat.testkit.ShimProgram;
import io.cleat.wire.ControllerCall;
import io.cleat.wire.OrderOutcome;
import io.cleat.wire.ToNode;
import io.cleat.wire.ToServer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A fault of the agent in the work for one plugin: the plugin is unhealthy and looked at anew, an order ends with
 * unknown effect, and nothing else ends.
 */
final class ContainedPluginFaultsTest {
    private static final String UNHEALTHY = "Plugin became unhealthy | error: a fault of the agent, see its log: "
            + "java.lang.IllegalStateException: planted";

    @TempDir
    Path directory;

    private final LinkedBlockingQueue<String> contained = new LinkedBlockingQueue<>();
    private final LinkedBlockingQueue<String> events = new LinkedBlockingQueue<>();
    private final LinkedBlockingQueue<ToServer.OrderDone> done = new LinkedBlockingQueue<>();
    private final AtomicInteger faultsOfNews = new AtomicInteger();
    private final AtomicInteger faultsOfTime = new AtomicInteger();
    private final Threads threads = Threads.virtual(new Told());
    private final News news = new FaultyNews();
    private final PluginTasks.PluginTask task = new PluginTasks.PluginTask(
            "alloc-1",
            "plugin",
            new CsiPluginSpec("p", PluginType.MONOLITH, "/csi", "/local/csi", Duration.ofSeconds(30), null),
            false);
    private PluginRegistry registry;
    private LivePlugins plugins;
    private PluginSupervisor supervisor;
    private PathWorkers workers;

    @BeforeEach
    void start() throws Exception {
        workers = new PathWorkers(ShimProgram.built(), threads, new SystemTime());
        registry = new PluginRegistry(directory.resolve("registry"), new Feed(threads));
        plugins = new LivePlugins(registry, new SystemTime(), bound -> 0);
        supervisor = new PluginSupervisor(
                new PluginPaths(directory.resolve("csi")),
                Mounts.linux(),
                workers::of,
                plugin -> Set.of(),
                plugins,
                news,
                threads,
                new SystemTime(),
                bound -> 0);
    }

    @AfterEach
    void close() {
        registry.close();
        workers.close();
    }

    private final class Told implements FaultHandler {
        @Override
        public void fault(String where, Throwable fault) {
            contained.add("ends the process: " + where);
        }

        @Override
        public void contained(String where, Throwable fault) {
            contained.add(where);
        }
    }

    private static void plant(AtomicInteger left) {
        if (left.getAndUpdate(many -> Math.max(0, many - 1)) > 0) {
            throw new IllegalStateException("planted");
        }
    }

    private String next(LinkedBlockingQueue<String> queue) throws InterruptedException {
        return Objects.requireNonNull(queue.poll(20, TimeUnit.SECONDS), "nothing came");
    }

    private FakeCsiPlugin plugin() throws Exception {
        PluginTasks.Prepared prepared = supervisor.beforeStart(task);
        FakeCsiPlugin plugin = FakeCsiPlugin.start(Path.of(prepared.endpoint().substring("unix://".length())));
        supervisor.afterStart(task, new PluginTasks.Listener() {
            @Override
            public void event(String type, String message) {
                events.add(type + " | " + message);
            }

            @Override
            public void neverHealthy(String reason) {
                events.add("never healthy | " + reason);
            }
        });
        return plugin;
    }

    @Test
    void aFaultInSupervision_isUnhealthyWithTheReason_andLookedAtAnew() throws Exception {
        faultsOfNews.set(1);
        try (FakeCsiPlugin fake = plugin()) {
            assertEquals("plugin/p/alloc-1", next(contained));
            assertEquals(UNHEALTHY, next(events));
            assertEquals("Plugin became healthy | plugin: p", next(events));
            assertTrue(
                    registry.current(PluginKind.NODE, "p").orElseThrow().facts().healthy());
            supervisor.afterEnd(task, RunEnds.Reason.ASKED);
            assertFalse(fake.calls().isEmpty());
        }
        assertEquals(0, contained.size());
    }

    @Test
    void aFaultInSayingSo_endsNoSupervisionEither() throws Exception {
        faultsOfNews.set(3);
        try (FakeCsiPlugin fake = plugin()) {
            assertEquals(UNHEALTHY, next(events));
            String last = next(events);
            while (last.equals(UNHEALTHY)) {
                last = next(events);
            }
            assertEquals("Plugin became healthy | plugin: p", last);
            supervisor.afterEnd(task, RunEnds.Reason.ASKED);
            assertFalse(fake.calls().isEmpty());
        }
        for (int i = 0; i < 3; i++) {
            assertEquals("plugin/p/alloc-1", next(contained));
        }
        assertEquals(0, contained.size());
    }

    @Test
    void aFaultInAnOrder_endsItWithUnknownEffect_andTheNextOfItsVolumeIsCarriedOut() throws Exception {
        try (FakeCsiPlugin fake = plugin()) {
            assertEquals("Plugin became healthy | plugin: p", next(events));
            ControllerOrders orders = new ControllerOrders(plugins, news, threads, new FaultyTime());
            faultsOfTime.set(1);
            orders.begin(order("op-1"));
            OrderOutcome.Failed failed =
                    assertInstanceOf(OrderOutcome.Failed.class, end("op-1").outcome());
            assertEquals(Effect.UNKNOWN, failed.effect());
            assertEquals("Internal", failed.code());
            assertTrue(failed.message().startsWith("a fault of the agent"), failed.message());
            assertFalse(orders.isRunning("op-1"));
            assertEquals(failed, orders.outcome("op-1").orElseThrow());
            assertEquals("order", next(contained).substring(0, 5));
            orders.begin(order("op-2"));
            assertInstanceOf(OrderOutcome.Done.class, end("op-2").outcome());
            orders.begin(order("op-1"));
            assertInstanceOf(OrderOutcome.Done.class, end("op-1").outcome());
            supervisor.afterEnd(task, RunEnds.Reason.ASKED);
            assertFalse(fake.calls().isEmpty());
        }
        assertEquals(0, contained.size());
    }

    private ToServer.OrderDone end(String id) throws InterruptedException {
        ToServer.OrderDone end = Objects.requireNonNull(done.poll(20, TimeUnit.SECONDS), "no end came");
        assertEquals(id, end.operationId());
        return end;
    }

    private static ToNode.Order order(String id) {
        return new ToNode.Order(id, 1, "p", "alloc-1", new ControllerCall.Delete("ext-1", Secrets.none()));
    }

    /** The machine's, whose next reading may be a fault. */
    private final class FaultyTime implements Time {
        private final SystemTime real = new SystemTime();

        @Override
        public Instant now() {
            return real.now();
        }

        @Override
        public long nanos() {
            plant(faultsOfTime);
            return real.nanos();
        }

        @Override
        public void sleep(Duration duration) throws InterruptedException {
            real.sleep(duration);
        }

        @Override
        public boolean await(Condition condition, Deadline deadline) throws InterruptedException {
            return real.await(condition, deadline);
        }
    }

    private final class FaultyNews implements News {
        @Override
        public void allocationChanged(String allocId) {}

        @Override
        public void factsChanged() {
            plant(faultsOfNews);
        }

        @Override
        public void nodeEvent(NodeEvent event) {}

        @Override
        public void volumeEvent(VolumeId volume, VolumeEvent event) {}

        @Override
        public void orderDone(ToServer.OrderDone end) {
            done.add(end);
        }
    }
}
