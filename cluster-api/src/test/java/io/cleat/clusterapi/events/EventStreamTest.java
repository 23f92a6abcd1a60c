package io.cleat.clusterapi.events;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.api.AgentConfig;
import io.cleat.api.AgentHealth;
import io.cleat.api.CleatClient;
import io.cleat.api.Event;
import io.cleat.api.EventBatch;
import io.cleat.api.EventStream;
import io.cleat.api.Json;
import io.cleat.api.Params;
import io.cleat.api.ServerAddress;
import io.cleat.base.Ids;
import io.cleat.base.SystemTime;
import io.cleat.clusterapi.ClusterRoutes;
import io.cleat.clusterapi.FixedImages;
import io.cleat.clusterapi.Intake;
import io.cleat.clusterapi.Recording;
import io.cleat.clusterapi.SampleCluster;
import io.cleat.clusterapi.ServerCluster;
import io.cleat.http.AgentLocator;
import io.cleat.http.AgentLog;
import io.cleat.http.Dispatcher;
import io.cleat.http.Guard;
import io.cleat.http.HttpServer;
import io.cleat.http.Listener;
import io.cleat.http.NodeApi;
import io.cleat.http.Reply;
import io.cleat.http.Route;
import io.cleat.model.NodeEvent;
import io.cleat.nodeapi.AgentNode;
import io.cleat.nodeapi.LocalNode;
import io.cleat.server.commit.AppliedDecision;
import io.cleat.server.intake.RecentDecisions;
import io.cleat.server.intake.Requests;
import io.cleat.state.Change;
import io.cleat.state.ClusterState;
import io.cleat.testkit.FakeTime;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The event stream over real connections, and its clock. */
final class EventStreamTest {
    /** Long enough for a client on a busy machine to send its request. */
    private static final int LARGE = 60_000;

    private static final Duration IDLE = Duration.ofSeconds(10);

    private static final String STREAM = "/v1/event/stream";

    @TempDir
    Path directory;

    private final SampleCluster sample = SampleCluster.start();
    private final Requests requests = Intake.idle();
    private final RecentDecisions recent = requests.recent();

    /** Counts the streams that have ended. */
    private final CountDownLatch oneEnded = new CountDownLatch(1);

    private void decide(Change... changes) {
        sample.apply(changes);
        recent.applied(sample.lastDecision());
    }

    /** A decision whose event is large. */
    private void decideLargely() {
        decide(new Change.NodeEventsAdded(
                SampleCluster.NODE, List.of(new NodeEvent("Storage", "x".repeat(LARGE), Map.of(), SampleCluster.AT))));
    }

    /** A decision that leaves no room for an earlier one. */
    private void decideAsMuchAsIsKept() {
        sample.apply(new Change.NodePut(SampleCluster.nodeRow(SampleCluster.NODE, List.of())));
        AppliedDecision<ClusterState, Change> last = sample.lastDecision();
        recent.applied(new AppliedDecision<>(
                last.before(), last.changes(), last.after(), last.version(), RecentDecisions.KEPT_BYTES));
    }

    private HttpServer server() throws Exception {
        return server(IDLE);
    }

    /** @param idle how long a client may neither send nor take anything */
    private HttpServer server(Duration idle) throws Exception {
        ServerCluster cluster = SampleCluster.cluster(new FixedImages(sample.state()), requests);
        AgentConfig config = Json.fromTree(Recording.of("47-agent-self").body().get("config"), AgentConfig.class);
        NodeApi node = new AgentNode(
                new AgentNode.Setting(config, SampleCluster.NODE, directory, 2000),
                UnaryOperator.identity(),
                LocalNode.NONE,
                Map.of(),
                () -> new AgentHealth(null, null),
                Map::of,
                AgentLog.NONE,
                new SystemTime());
        List<Route> routes = ClusterRoutes.of(cluster, node, AgentLocator.HERE).stream()
                .map(route -> route.pattern().equals(STREAM) ? observed(route) : route)
                .toList();
        return HttpServer.open(
                List.of(new Listener.Tcp(InetAddress.getLoopbackAddress(), 0)),
                new Dispatcher(
                        Guard.local(),
                        routes,
                        () -> List.of("global"),
                        (where, fault) -> {
                            throw new AssertionError(where, fault);
                        },
                        Ids.random()),
                new HttpServer.Limits(64 * 1024, idle, Duration.ofSeconds(10), 100),
                new SystemTime());
    }

    private Route observed(Route route) {
        return Route.get(STREAM, request -> {
            Reply.Stream stream = (Reply.Stream) route.handler().handle(request).body();
            return Reply.stream(stream.contentType(), out -> {
                try {
                    stream.writer().write(out);
                } finally {
                    oneEnded.countDown();
                }
            });
        });
    }

    private static int port(HttpServer server) {
        return ((Listener.Tcp) server.listeners().getFirst()).port();
    }

    private static EventStream open(HttpServer server, long index, String... topics) throws Exception {
        CleatClient client =
                new CleatClient(new ServerAddress.Tcp("127.0.0.1", port(server)), CleatClient.Options.NONE);
        return client.agent().events(List.of(topics), index, Params.none());
    }

    @Test
    void aReaderGetsWhatItAskedForInOrder() throws Exception {
        try (HttpServer server = server();
                EventStream all = open(server, 0);
                EventStream nodes = open(server, 0, "Node:n-2", "Job")) {
            for (int i = 0; i < 5; i++) {
                decide(new Change.NodePut(SampleCluster.nodeRow("n-" + i, List.of())));
            }
            long first = all.next().orElseThrow().Index();
            for (int i = 1; i < 5; i++) {
                EventBatch batch = all.next().orElseThrow();
                assertEquals(first + i, batch.Index());
                Event event = batch.Events().getFirst();
                assertEquals("n-" + i, event.Key());
                assertEquals(first + i, event.Index());
                assertTrue(event.Payload().containsKey("Node"));
            }
            assertEquals("n-2", nodes.next().orElseThrow().Events().getFirst().Key());
        }
    }

    @Test
    void aReaderThatComesTooLateIsToldSo() throws Exception {
        sample.node();
        decideAsMuchAsIsKept();
        long gone = sample.state().version();
        decideAsMuchAsIsKept();
        try (HttpServer server = server();
                EventStream stream = open(server, 1)) {
            assertEquals(
                    new EventBatch.Missed(1, gone), stream.next().orElseThrow().Missed());
            assertEquals(gone + 1, stream.next().orElseThrow().Index());
        }
    }

    /** Pain: who subscribes and does not read slows down everybody, or grows without bound. */
    @Test
    void aReaderThatDoesNotReadIsCutAndDelaysNobody() throws Exception {
        sample.node();
        try (HttpServer server = server(Duration.ofSeconds(1));
                EventStream quick = open(server, 0);
                Socket slow = new Socket(InetAddress.getLoopbackAddress(), port(server))) {
            slow.getOutputStream()
                    .write(("GET " + STREAM + " HTTP/1.1\r\nHost: 127.0.0.1:" + port(server) + "\r\n\r\n")
                            .getBytes(StandardCharsets.UTF_8));
            // The answer has begun, so the stream is open; from here on nothing is taken.
            assertEquals('H', slow.getInputStream().read());
            for (int i = 0; i < 2 * RecentDecisions.KEPT_BYTES / LARGE; i++) {
                decideLargely();
                assertEquals(
                        sample.state().version(), quick.next().orElseThrow().Index());
            }
            assertTrue(oneEnded.await(30, TimeUnit.SECONDS), "the slow reader is cut");
            decideLargely();
            assertEquals(sample.state().version(), quick.next().orElseThrow().Index());
        }
    }

    @Test
    void heartbeatsComeEveryHalfMinuteWhateverElseComes() throws Exception {
        FakeTime time = new FakeTime();
        RecentDecisions decisions = new RecentDecisions(time);
        EventReader reader = new EventAnswers(decisions, time).open(EventQuery.of(List.of("Node"), 0, "default"));
        assertEquals(new EventReader.Heartbeat(), reader.next());
        assertEquals(Duration.ofSeconds(30), time.passed());
        sample.apply(new Change.NodePut(SampleCluster.nodeRow("n-1", List.of())));
        decisions.applied(sample.lastDecision());
        assertInstanceOf(EventReader.Batch.class, reader.next());
        time.advance(Duration.ofSeconds(30));
        assertEquals(new EventReader.Heartbeat(), reader.next());
    }

    @Test
    void whatIsNotAskedForWakesNobody() throws Exception {
        FakeTime time = new FakeTime();
        RecentDecisions decisions = new RecentDecisions(time);
        EventReader reader = new EventAnswers(decisions, time).open(EventQuery.of(List.of("Job"), 0, "default"));
        sample.apply(new Change.NodePut(SampleCluster.nodeRow("n-1", List.of())));
        decisions.applied(sample.lastDecision());
        assertEquals(new EventReader.Heartbeat(), reader.next());
    }
}
