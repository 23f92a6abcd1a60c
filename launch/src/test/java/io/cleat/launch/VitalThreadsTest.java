package io.cleat.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.cleat.agent.report.LastObeyed;
import io.cleat.agent.report.Orders;
import io.cleat.agent.report.Outbox;
import io.cleat.agent.report.ServerSession;
import io.cleat.agent.template.NodeServices;
import io.cleat.agent.template.NodeVariables;
import io.cleat.base.Chance;
import io.cleat.base.Ids;
import io.cleat.base.SystemTime;
import io.cleat.base.Threads;
import io.cleat.testkit.DoomedThreads;
import io.cleat.wire.OrderOutcome;
import io.cleat.wire.ToNode;
import io.cleat.wire.ToServer;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An error in each vital thread that an agent itself starts ends the process. */
final class VitalThreadsTest {
    private final BlockingQueue<Integer> codes = new LinkedBlockingQueue<>();
    private final ProcessFaults faults = new ProcessFaults(
            new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8), codes::add);
    private final Ports ports =
            new Ports(new SystemTime(), Chance.system(), Ids.random(), Threads.virtual(faults), faults);

    @TempDir
    Path directory;

    @Test
    void thatOfTheWatchdog() throws Exception {
        Vitality vitality = new Vitality(directory, ports);
        vitality.watch(List.of(() -> {
            throw new LinkageError("doomed");
        }));
        assertEquals(70, codes.poll(20, TimeUnit.SECONDS));
        vitality.end();
    }

    /** Memory that has run out is no fault of a link. */
    @Test
    void thatOfTheSession() throws Exception {
        Outbox outbox = new Outbox();
        ServerSession session = new ServerSession(
                deadline -> {
                    throw new OutOfMemoryError("doomed");
                },
                "secret",
                LastObeyed.at(directory.resolve("obeyed")),
                () -> {
                    throw new AssertionError("nobody is greeted");
                },
                new NothingAssigned(),
                new NoOrders(),
                outbox,
                NodeVariables.none(),
                NodeServices.none(),
                ports.threads(),
                ports.time(),
                ports.chance());
        ports.threads().vital("session", session::run);
        assertEquals(70, codes.poll(20, TimeUnit.SECONDS));
    }

    @Test
    void thatOfTheHeap() throws Exception {
        HeapWatch heap = new HeapWatch(
                (Heap) Proxy.newProxyInstance(
                        Heap.class.getClassLoader(), new Class<?>[] {Heap.class}, (proxy, method, arguments) -> {
                            throw new LinkageError("doomed");
                        }),
                ports.time());
        ports.threads().vital("heap", heap::run);
        assertEquals(70, codes.poll(20, TimeUnit.SECONDS));
    }

    @Test
    void theseAreAll() {
        assertEquals(Set.of("session", "watchdog", "heap"), DoomedThreads.listed("io.cleat.launch."));
    }

    private static final class NothingAssigned implements ServerSession.Assigned {
        @Override
        public void assign(long version, List<ToNode.Assignment> allocations) {}

        @Override
        public void change(long version, List<ToNode.Assignment> allocations, List<String> gone) {}

        @Override
        public Collection<String> known() {
            return List.of();
        }

        @Override
        public Optional<ToServer.AllocReport> report(String allocId) {
            return Optional.empty();
        }

        @Override
        public List<ToServer.Held> held() {
            return List.of();
        }

        @Override
        public void beginAnew() {}
    }

    private static final class NoOrders implements Orders {
        @Override
        public void begin(ToNode.Order order) {}

        @Override
        public void beginAnew() {}

        @Override
        public boolean isRunning(String operationId) {
            return false;
        }

        @Override
        public Optional<OrderOutcome> outcome(String operationId) {
            return Optional.empty();
        }
    }
}
