package io.cleat.agent.plugins;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.agent.report.News;
import io.cleat.base.Chance;
import io.cleat.base.Effect;
import io.cleat.base.Secrets;
import io.cleat.base.SystemTime;
import io.cleat.base.Threads;
import io.cleat.csi.RunEnds;
import io.cleat.kernel.Mounts;
import io.cleat.kernel.PathWorkers;
import io.cleat.model.AccessMode;
import io.cleat.model.AttachmentMode;
import io.cleat.model.CallEnd;
import io.cleat.model.CsiPluginSpec;
import io.cleat.model.MountOptions;
import io.cleat.model.NodeEvent;
import io.cleat.model.PluginType;
import io.cleat.model.TopologyRequest;
import io.cleat.model.VolumeEvent;
import io.cleat.model.VolumeId;
import io.cleat.model.VolumeModes;
import io.cleat.testkit.Behaviour;
import io.cleat.testkit.FakeCsiPlugin;
import io.cleat.testkit.ShimProgram;
import io.cleat.wire.ControllerCall;
import io.cleat.wire.OrderOutcome;
import io.cleat.wire.ToNode;
import io.cleat.wire.ToServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A plugin ends during calls, and its task is started again; calls whose effect is unknown are ordered again, as the
 * server does.
 */
@Timeout(120)
class EndsDuringCallsTest {
    private static final PluginTasks.PluginTask TASK = new PluginTasks.PluginTask(
            "alloc-1",
            "plugin",
            new CsiPluginSpec("p", PluginType.CONTROLLER, "/csi", "/local/csi", Duration.ofSeconds(30), null),
            false);

    private static final Set<String> PASSING = Set.of(CallEnd.PLUGIN_ENDED, "Unavailable", "Canceled");

    @TempDir
    Path dir;

    private final LinkedBlockingQueue<String> faults = new LinkedBlockingQueue<>();
    private final LinkedBlockingQueue<String> ends = new LinkedBlockingQueue<>();
    private final LinkedBlockingQueue<String> healthy = new LinkedBlockingQueue<>();
    private final LinkedBlockingQueue<ToServer.OrderDone> done = new LinkedBlockingQueue<>();
    private final Map<String, ControllerCall> ordered = new ConcurrentHashMap<>();
    private final Threads threads = Threads.virtual((where, fault) -> faults.add("fault in " + where + ": " + fault));
    private final ReentrantLock starting = new ReentrantLock();
    private final PathWorkers workers;
    private PluginRegistry registry;
    private PluginSupervisor supervisor;
    private ControllerOrders orders;
    private FakeCsiPlugin plugin;

    EndsDuringCallsTest() throws Exception {
        workers = new PathWorkers(ShimProgram.built(), threads, new SystemTime());
    }

    @BeforeEach
    void start() throws Exception {
        registry = new PluginRegistry(dir.resolve("registry"), new Feed(threads));
        LivePlugins plugins = new LivePlugins(registry, new SystemTime(), Chance.system());
        News news = new OrderNews();
        supervisor = new PluginSupervisor(
                new PluginPaths(dir.resolve("csi")),
                Mounts.linux(),
                workers::of,
                id -> Set.of(),
                plugins,
                news,
                threads,
                new SystemTime(),
                Chance.system());
        orders = new ControllerOrders(plugins, news, threads, new SystemTime());
        String endpoint = supervisor.beforeStart(TASK).endpoint();
        plugin = FakeCsiPlugin.start(Path.of(endpoint.substring("unix://".length())));
        started();
    }

    @AfterEach
    void close() throws Exception {
        plugin.close();
        supervisor.afterEnd(TASK, RunEnds.Reason.ASKED);
        registry.close();
        workers.close();
        assertEquals(List.of(), List.copyOf(faults));
    }

    private void started() throws InterruptedException {
        supervisor.afterStart(TASK, new Words());
        Objects.requireNonNull(healthy.poll(60, TimeUnit.SECONDS), "the plugin is not healthy");
    }

    /** As the plugin's task runner does after the run ended. */
    private void startAgain(RunEnds.Reason why) throws Exception {
        starting.lock();
        try {
            supervisor.afterEnd(TASK, why);
            supervisor.beforeStart(TASK);
            plugin.restart();
            started();
        } finally {
            starting.unlock();
        }
    }

    private void order(String id, ControllerCall call) {
        ordered.put(id, call);
        // There is nobody to call while it is started.
        starting.lock();
        try {
            orders.begin(new ToNode.Order(id, 1, "p", "alloc-1", call));
        } finally {
            starting.unlock();
        }
    }

    /** How each of so many orders ended; one of unknown end is ordered again. */
    private Map<String, OrderOutcome> settle(int count) throws InterruptedException {
        Map<String, OrderOutcome> settled = new TreeMap<>();
        while (settled.size() < count) {
            ToServer.OrderDone each =
                    Objects.requireNonNull(done.poll(60, TimeUnit.SECONDS), () -> "only " + settled + " ended");
            if (each.outcome() instanceof OrderOutcome.Failed failed && PASSING.contains(failed.code())) {
                order(each.operationId(), Objects.requireNonNull(ordered.get(each.operationId())));
            } else {
                settled.put(each.operationId(), each.outcome());
            }
        }
        return settled;
    }

    static ControllerCall create(String name) {
        return new ControllerCall.Create(
                name,
                1 << 20,
                0,
                List.of(new VolumeModes(AccessMode.SINGLE_NODE_WRITER, AttachmentMode.FILE_SYSTEM)),
                MountOptions.NONE,
                Map.of(),
                Secrets.none(),
                TopologyRequest.NONE,
                "",
                "");
    }

    private static ControllerCall delete(String volume) {
        return new ControllerCall.Delete(volume, Secrets.none());
    }

    /** It was repeated at each new instance, until the plugin was out of restarts. */
    @Test
    void aCallThatEndsItsPlugin_endsItTwiceAndThenWaitsForAPerson_andAllOthersAreServed() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        plugin.script("DeleteVolume", Behaviour.waitFor(gate));
        plugin.script("CreateVolume", Behaviour.about("bomb", Behaviour.crash()));
        for (int i = 0; i < 10; i++) {
            order("delete-" + i, delete("v" + i));
        }
        plugin.awaitCalls("DeleteVolume", 10, Duration.ofSeconds(60));
        order("bomb", create("bomb"));
        Thread server = threads.vitalWork("test/runner", () -> {
            for (int i = 0; i < RunEnds.MOST_ENDS; i++) {
                plugin.awaitCrash();
                gate.countDown();
                try {
                    startAgain(RunEnds.Reason.BY_ITSELF);
                } catch (InterruptedException end) {
                    throw end;
                } catch (Exception failed) {
                    faults.add("the plugin does not start again: " + failed);
                }
            }
        });
        Map<String, OrderOutcome> settled = settle(11);
        assertTrue(server.join(Duration.ofSeconds(60)));
        for (int i = 0; i < 10; i++) {
            assertInstanceOf(OrderOutcome.Done.class, settled.get("delete-" + i));
        }
        OrderOutcome.Failed withheld = assertInstanceOf(OrderOutcome.Failed.class, settled.get("bomb"));
        assertEquals(Effect.UNKNOWN, withheld.effect());
        assertTrue(withheld.message().contains("ended during it"), withheld.message());
        assertEquals(2, plugin.calls("CreateVolume").size());
        String first = Objects.requireNonNull(ends.poll());
        assertTrue(first.contains("which are made again one at a time"), first);
        String second = Objects.requireNonNull(ends.poll());
        assertTrue(second.contains("CreateVolume of"), second);
        assertTrue(second.contains("cleat alloc restart alloc-1"), second);

        order("bomb", create("bomb"));
        order("other", create("other"));
        settled = settle(2);
        assertInstanceOf(OrderOutcome.Done.class, settled.get("other"));
        assertEquals(
                CallEnd.WITHHELD,
                assertInstanceOf(OrderOutcome.Failed.class, settled.get("bomb")).code());
        assertEquals(3, plugin.calls("CreateVolume").size(), "it is not made again");

        plugin.crash();
        plugin.script("CreateVolume", Behaviour.ok());
        startAgain(RunEnds.Reason.ASKED);
        order("bomb", create("bomb"));
        assertInstanceOf(OrderOutcome.Done.class, settle(1).get("bomb"));
    }

    @Test
    void aPluginKilledDuringOneCallAndThenDuringAnother_isAskedAgainForBoth() throws Exception {
        for (String volume : List.of("v1", "v2")) {
            CountDownLatch gate = new CountDownLatch(1);
            plugin.clearCalls();
            plugin.script("DeleteVolume", Behaviour.waitFor(gate), Behaviour.ok());
            order(volume, delete(volume));
            plugin.awaitCalls("DeleteVolume", 1, Duration.ofSeconds(60));
            plugin.crash();
            gate.countDown();
            startAgain(RunEnds.Reason.BY_ITSELF);
            assertInstanceOf(OrderOutcome.Done.class, settle(1).get(volume));
        }
    }

    @Test
    void aPluginRestartedByAPersonDuringACall_isNoEndOfItsOwn() throws Exception {
        for (int i = 0; i < 3; i++) {
            CountDownLatch gate = new CountDownLatch(1);
            plugin.clearCalls();
            plugin.script("DeleteVolume", Behaviour.waitFor(gate), Behaviour.ok());
            order("o", delete("v1"));
            plugin.awaitCalls("DeleteVolume", 1, Duration.ofSeconds(60));
            plugin.crash();
            gate.countDown();
            startAgain(RunEnds.Reason.ASKED);
            assertInstanceOf(OrderOutcome.Done.class, settle(1).get("o"));
        }
        assertEquals(List.of(), List.copyOf(ends));
    }

    private final class Words implements PluginTasks.Listener {
        @Override
        public void event(String type, String message) {
            if (type.equals(PluginSupervisor.ENDED_DURING_CALL)) {
                ends.add(message);
            } else if (type.equals(Supervision.HEALTHY)) {
                healthy.add(message);
            }
        }

        @Override
        public void neverHealthy(String reason) {
            faults.add("never healthy: " + reason);
        }
    }

    private final class OrderNews implements News {
        @Override
        public void allocationChanged(String allocId) {}

        @Override
        public void factsChanged() {}

        @Override
        public void nodeEvent(NodeEvent event) {}

        @Override
        public void volumeEvent(VolumeId id, VolumeEvent event) {}

        @Override
        public void orderDone(ToServer.OrderDone each) {
            done.add(each);
        }
    }
}
