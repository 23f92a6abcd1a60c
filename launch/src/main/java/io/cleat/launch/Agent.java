package io.cleat.launch;

import io.cleat.api.AgentHealth;
import io.cleat.api.ServerAddress;
import io.cleat.base.InWork;
import io.cleat.base.Refused;
import io.cleat.base.Trouble;
import io.cleat.base.Watched;
import io.cleat.clusterapi.ClusterRoutes;
import io.cleat.clusterapi.ServerCluster;
import io.cleat.driver.TaskDriver;
import io.cleat.http.Admission;
import io.cleat.http.AgentLocator;
import io.cleat.http.Dispatcher;
import io.cleat.http.HttpServer;
import io.cleat.http.NodeApi;
import io.cleat.http.Relay;
import io.cleat.http.routes.Routes;
import io.cleat.model.DriverFacts;
import io.cleat.nodeapi.AgentNode;
import io.cleat.nodeapi.LocalNode;
import io.cleat.wire.Connector;
import io.cleat.wire.GrpcConnector;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The parts of one agent process, put together as its {@link Arrangement} says. */
final class Agent {
    private static final Logger LOG = LoggerFactory.getLogger(Agent.class);
    private static final String DUMPS = "dumps";
    private static final AgentHealth.Part WELL = new AgentHealth.Part("ok", true);

    private final @Nullable ServerSide server;
    private final @Nullable NodeSide node;
    private final @Nullable GrpcConnector link;
    private final HttpServer http;
    private final Thread heap;
    private final Vitality vitality;

    private Agent(
            @Nullable ServerSide server,
            @Nullable NodeSide node,
            @Nullable GrpcConnector link,
            HttpServer http,
            Vitality vitality,
            Thread heap) {
        this.vitality = vitality;
        this.heap = heap;
        this.server = server;
        this.node = node;
        this.link = link;
        this.http = http;
    }

    /**
     * Starts all parts. When it returns, HTTP answers, and a server of this process leads, unless its disk is full; one
     * of another process may not be there yet.
     */
    static Agent start(DataDirectory data, Arrangement arrangement, InWork inWork, Ports ports)
            throws Refused, Trouble, InterruptedException {
        return switch (arrangement.parts()) {
            case Arrangement.Parts.WithServer parts -> withServer(data, arrangement, parts, inWork, ports);
            case Arrangement.Parts.NodeOnly(Path server) -> nodeOnly(data, arrangement, server, inWork, ports);
        };
    }

    private static Agent withServer(
            DataDirectory data, Arrangement arrangement, Arrangement.Parts.WithServer parts, InWork inWork, Ports ports)
            throws Trouble, InterruptedException {
        HttpServer.Limits limits = limits();
        HeapWatch heap = new HeapWatch(Heap.ofProcess(), ports.time());
        Vitality vitality = new Vitality(data.file(DUMPS), ports);
        ServerSide server = ServerSide.start(data, arrangement, heap, inWork, ports);
        NodeSide node = parts.node() ? node(data, arrangement, server.inProcess(), inWork, ports) : null;
        vitality.watch(watched(server, node));
        AgentLocator locator = server.locator(node == null ? "" : node.id());
        HttpServer http = HttpServer.open(
                arrangement.listeners(data),
                new Dispatcher(
                        arrangement.guard(),
                        ClusterRoutes.of(
                                server.cluster(), self(data, arrangement, server, node, vitality, ports), locator),
                        () -> List.of(Arrangement.REGION),
                        ports.faults(),
                        ports.ids()),
                Admission.ofHeap(heap, limits, ports.time()),
                limits,
                ports.time());
        server.awaitReady();
        if (parts.admitsNodes()) {
            server.admitNodes();
        }
        if (node != null) {
            node.connect();
        }
        return new Agent(server, node, null, http, vitality, begun(heap, ports));
    }

    private static Agent nodeOnly(
            DataDirectory data, Arrangement arrangement, Path directory, InWork inWork, Ports ports)
            throws Trouble, InterruptedException {
        HttpServer.Limits limits = limits();
        HeapWatch heap = new HeapWatch(Heap.ofProcess(), ports.time());
        GrpcConnector link = new GrpcConnector(directory.resolve(ServerSide.NODES));
        NodeSide node = node(data, arrangement, link, inWork, ports);
        Vitality vitality = new Vitality(data.file(DUMPS), ports);
        vitality.watch(watched(null, node));
        ServerAddress server = new ServerAddress.Unix(directory.resolve(Arrangement.HTTP));
        HttpServer http = HttpServer.open(
                arrangement.listeners(data),
                new Dispatcher(
                        arrangement.guard(),
                        Routes.of(
                                self(data, arrangement, null, node, vitality, ports),
                                new ElsewhereAtServer(node, server)),
                        request -> Relay.pass(request, server),
                        () -> List.of(Arrangement.REGION),
                        ports.faults(),
                        ports.ids()),
                Admission.ofHeap(heap, limits, ports.time()),
                limits,
                ports.time());
        node.connect();
        return new Agent(null, node, link, http, vitality, begun(heap, ports));
    }

    private static NodeSide node(
            DataDirectory data, Arrangement arrangement, Connector servers, InWork inWork, Ports ports)
            throws Trouble, InterruptedException {
        return NodeSide.over(data, shim(), arrangement, servers, inWork, ports);
    }

    /** What its node's driver of that name says of itself; empty without a node. */
    Optional<DriverFacts> driver(String name) {
        return Optional.ofNullable(node).map(there -> there.drivers().get(name)).map(TaskDriver::fingerprint);
    }

    private static HttpServer.Limits limits() {
        Descriptors descriptors = Descriptors.ofProcess();
        descriptors.warning().ifPresent(LOG::warn);
        return descriptors.http();
    }

    private static Thread begun(HeapWatch heap, Ports ports) {
        return ports.threads().vital("heap", heap::run);
    }

    private static NodeApi self(
            DataDirectory data,
            Arrangement arrangement,
            @Nullable ServerSide server,
            @Nullable NodeSide node,
            Vitality vitality,
            Ports ports) {
        return new AgentNode(
                new AgentNode.Setting(
                        arrangement.config(data),
                        node == null ? "" : node.id(),
                        data.file("alloc"),
                        node == null ? 0 : node.mhzPerCore()),
                server == null ? UnaryOperator.identity() : server.cluster().operator()::self,
                node == null ? LocalNode.NONE : node.local(),
                node == null ? Map.of() : node.drivers(),
                () -> health(server, node, vitality),
                vitality::figures,
                Logging.followed(),
                ports.time());
    }

    private static List<Watched> watched(@Nullable ServerSide server, @Nullable NodeSide node) {
        List<Watched> watched = new ArrayList<>();
        if (server != null) {
            watched.addAll(server.watched());
        }
        if (node != null) {
            watched.addAll(node.watched());
        }
        return watched;
    }

    /** Whether it has a node that a server has let in, and hears. */
    boolean isLinked() {
        return node != null && node.isLinked();
    }

    private static AgentHealth health(@Nullable ServerSide server, @Nullable NodeSide node, Vitality vitality) {
        return vitality.health(
                node == null ? null : part(node.isLinked() ? Optional.empty() : Optional.of("no link to a server")),
                server == null ? null : part(server.fault()));
    }

    private static AgentHealth.Part part(Optional<String> fault) {
        return fault.map(why -> new AgentHealth.Part(why, false)).orElse(WELL);
    }

    /** What runs on other nodes is asked for at the server. */
    private record ElsewhereAtServer(NodeSide node, ServerAddress server) implements AgentLocator {
        @Override
        public Optional<ServerAddress> ofNode(String nodeId) {
            return nodeId.isEmpty() || nodeId.equals(node.id()) ? Optional.empty() : Optional.of(server);
        }

        @Override
        public Optional<ServerAddress> ofAllocation(String allocId) {
            return node.allocations().known().contains(allocId) ? Optional.empty() : Optional.of(server);
        }
    }

    /** The id of the node in this process, if there is one. */
    Optional<String> nodeId() {
        return Optional.ofNullable(node).map(NodeSide::id);
    }

    /** The cluster, in a process with a server. */
    ServerCluster cluster() {
        if (server == null) {
            throw new IllegalStateException("no server runs in this process");
        }
        return server.cluster();
    }

    /**
     * Ends the agent: first what comes from outside, then the talk of node and server, the node last.
     *
     * @param everything whether what runs on the node is ended and removed too
     */
    void end(boolean everything) throws InterruptedException {
        heap.interrupt();
        http.close();
        vitality.end();
        if (node != null) {
            node.disconnect();
        }
        if (server != null) {
            server.close();
        }
        if (node != null) {
            end(node, everything);
        }
        if (link != null) {
            link.close();
        }
    }

    private static void end(NodeSide node, boolean everything) throws InterruptedException {
        try {
            if (everything) {
                node.allocations().endAll();
            }
            if (node.allocations().isAtRest()) {
                node.release();
            }
            node.close();
        } catch (Trouble trouble) {
            LOG.warn("not all could be let go: {}", trouble.reason());
        }
    }

    /** The native program, as the launcher says. */
    static Path shim() {
        return Path.of(System.getProperty("cleat.shim", "build/shim"));
    }
}
