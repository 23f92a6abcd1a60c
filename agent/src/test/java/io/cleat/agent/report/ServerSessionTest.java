package io.cleat.agent.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.agent.task.TestTasks;
import io.cleat.agent.template.NodeServices;
import io.cleat.agent.template.NodeVariables;
import io.cleat.base.Effect;
import io.cleat.base.FaultHandler;
import io.cleat.base.LinkTrouble;
import io.cleat.base.Retry;
import io.cleat.base.SystemTime;
import io.cleat.base.Threads;
import io.cleat.model.NodeFacts;
import io.cleat.wire.ControllerCall;
import io.cleat.wire.Link;
import io.cleat.wire.OrderOutcome;
import io.cleat.wire.ToNode;
import io.cleat.wire.ToServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node that keeps in touch with a server, whose links break. */
final class ServerSessionTest {
    @TempDir
    Path directory;

    private final BlockingQueue<String> happened = new LinkedBlockingQueue<>();
    private final BlockingQueue<PipeLink> links = new LinkedBlockingQueue<>();
    private final CountDownLatch linkedAgain = new CountDownLatch(2);
    private final CountDownLatch asked = new CountDownLatch(1);
    private final Outbox outbox = new Outbox();
    private volatile boolean isSlow;

    /** What it takes after that would be lost with its link. */
    @Test
    void whoSendsOnABrokenLinkHasEndedBeforeTheNextIsOpened() throws Exception {
        Threads threads = Threads.virtual((where, fault) -> happened.add(where + ": " + fault.getMessage()));
        Threads told = new Threads() {
            @Override
            public Thread start(Kind kind, String name, Body body) {
                return threads.start(kind, name, () -> {
                    try {
                        body.run();
                    } finally {
                        happened.add(name + " ends");
                    }
                });
            }

            @Override
            public FaultHandler faults() {
                return threads.faults();
            }
        };
        ServerSession session = new ServerSession(
                deadline -> {
                    happened.add("link");
                    linkedAgain.countDown();
                    PipeLink link = new PipeLink();
                    link.arrived.add(new ToNode.Welcome("cluster", Duration.ofHours(1), 1, false));
                    links.add(link);
                    return link;
                },
                "secret",
                LastObeyed.at(directory.resolve("obeyed")),
                this::facts,
                new NothingAssigned(),
                new NoOrders(),
                outbox,
                NodeVariables.none(),
                NodeServices.none(),
                told,
                new SystemTime(),
                bound -> 0);
        Thread running = threads.vitalWork("session", session::run);
        PipeLink first = links.take();
        assertTrue(first.sent.take() instanceof ToServer.Hello);
        isSlow = true;
        outbox.factsChanged();
        asked.await();
        first.close();
        List<String> order = List.of(happened.take(), next("session/send ends"), next("link"));
        assertEquals(List.of("link", "session/send ends", "link"), order);
        running.interrupt();
        running.join();
    }

    /** Whatever a message of the server leads to, the node hears it again on another link. */
    @Test
    void aFaultOfOneMessageEndsItsLinkAndAnotherIsOpened() throws Exception {
        Threads threads = Threads.virtual((where, fault) -> happened.add(where));
        ServerSession session = new ServerSession(
                deadline -> {
                    PipeLink link = new PipeLink();
                    link.arrived.add(new ToNode.Welcome("cluster", Duration.ofHours(1), 1, false));
                    links.add(link);
                    return link;
                },
                "secret",
                LastObeyed.at(directory.resolve("obeyed")),
                this::facts,
                new NothingAssigned(),
                new NoOrders(),
                outbox,
                NodeVariables.none(),
                NodeServices.none(),
                threads,
                new SystemTime(),
                bound -> 0);
        Thread running = threads.vital("session", session::run);
        PipeLink first = links.take();
        first.arrived.add(new ToNode.Order("operation", 1, "plugin", "alloc", new ControllerCall.ListVolumes("", 1)));
        assertEquals("session/link", happened.take());
        PipeLink second = links.take();
        assertTrue(second.sent.take() instanceof ToServer.Hello);
        assertTrue(first.isClosed);
        running.interrupt();
        running.join();
        assertEquals(List.of(), List.copyOf(happened));
    }

    /** As an empty server does that stands in the place of the one that the node knew. */
    @Test
    void aServerOfAnotherClusterIsNotObeyed() throws Exception {
        LastObeyed.at(directory.resolve("obeyed")).join("own", 1);
        Threads threads = Threads.virtual((where, fault) -> happened.add(where));
        ServerSession session = new ServerSession(
                deadline -> {
                    PipeLink link = new PipeLink();
                    link.arrived.add(new ToNode.Welcome("another", Duration.ofHours(1), 1, false));
                    link.arrived.add(new ToNode.Assignments(1, "r", List.of(), false));
                    links.add(link);
                    return link;
                },
                "secret",
                LastObeyed.at(directory.resolve("obeyed")),
                this::facts,
                new NothingAssigned() {
                    @Override
                    public void assign(long version, List<ToNode.Assignment> wanted) {
                        happened.add("obeyed " + version);
                    }
                },
                new NoOrders(),
                outbox,
                NodeVariables.none(),
                NodeServices.none(),
                threads,
                new SystemTime(),
                bound -> 0);
        Thread running = threads.vitalWork("session", session::run);
        PipeLink first = links.take();
        PipeLink second = links.take();
        assertTrue(first.isClosed);
        assertEquals(new ToServer.Obeyed("own", 0, 1, ""), ((ToServer.Hello) second.sent.take()).obeyed());
        running.interrupt();
        running.join();
        assertEquals(List.of(), List.copyOf(happened));
    }

    /** The next of the two that matter here. */
    private String next(String wanted) throws InterruptedException {
        String found = happened.take();
        return found.equals("session/heartbeat ends") ? next(wanted) : found;
    }

    /** Takes its time once the link is broken, deaf to interrupts, as a look at a slow disk does. */
    private NodeFacts facts() {
        if (isSlow) {
            isSlow = false;
            asked.countDown();
            boolean interrupted = false;
            long end = System.nanoTime() + 1_000_000_000L;
            while (System.nanoTime() < end) {
                try {
                    if (linkedAgain.await(end - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                        break;
                    }
                } catch (InterruptedException deaf) {
                    interrupted = true;
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
        return TestTasks.node();
    }

    private static final class PipeLink implements Link<ToServer, ToNode> {
        private final BlockingQueue<ToServer> sent = new LinkedBlockingQueue<>();
        private final BlockingQueue<Object> arrived = new LinkedBlockingQueue<>();
        private volatile boolean isClosed;

        @Override
        public void send(ToServer message) throws LinkTrouble {
            if (isClosed) {
                throw closed();
            }
            sent.add(message);
        }

        @Override
        public ToNode receive() throws LinkTrouble, InterruptedException {
            if (arrived.take() instanceof ToNode message) {
                return message;
            }
            throw closed();
        }

        @Override
        public void close() {
            isClosed = true;
            arrived.add("closed");
        }

        private static LinkTrouble closed() {
            return new LinkTrouble("the link is closed", Effect.UNKNOWN, Retry.SAME_CALL);
        }
    }

    private static final class NoOrders implements Orders {
        @Override
        public void begin(ToNode.Order order) {
            throw new AssertionError("nothing is ordered: " + order);
        }

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
