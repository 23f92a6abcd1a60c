package io.cleat.launch;

import io.cleat.agent.NodeView;
import io.cleat.base.Deadline;
import io.cleat.base.Effect;
import io.cleat.base.InWork;
import io.cleat.base.KernelTrouble;
import io.cleat.base.LinkTrouble;
import io.cleat.base.Retry;
import io.cleat.base.Trouble;
import io.cleat.base.Watched;
import io.cleat.clusterapi.ServerCluster;
import io.cleat.clusterapi.membership.LoneServer;
import io.cleat.clusterapi.membership.Membership;
import io.cleat.clusterapi.nodes.NodeAddresses;
import io.cleat.http.AgentLocator;
import io.cleat.http.Listener;
import io.cleat.kernel.FileSystems;
import io.cleat.log.LogStatus;
import io.cleat.log.Room;
import io.cleat.server.Server;
import io.cleat.server.ServerSettings;
import io.cleat.server.ServerStatus;
import io.cleat.server.intake.Requests;
import io.cleat.wire.Connector;
import io.cleat.wire.GrpcSessions;
import io.cleat.wire.InProcessLink;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The server's parts, put together. */
final class ServerSide implements AutoCloseable {
    /** Where nodes of other processes come in, in the data directory. */
    static final String NODES = "server/nodes.sock";

    private static final Duration LEADER_WITHIN = Duration.ofSeconds(30);
    private static final Duration LOOK = Duration.ofMillis(500);
    private static final Logger LOG = LoggerFactory.getLogger(ServerSide.class);

    private final Server server;
    private final Requests requests;
    private final ServerCluster cluster;
    private final DataDirectory data;
    private final Ports ports;
    private @Nullable GrpcSessions nodes;

    private ServerSide(Server server, Requests requests, ServerCluster cluster, DataDirectory data, Ports ports) {
        this.server = server;
        this.requests = requests;
        this.cluster = cluster;
        this.data = data;
        this.ports = ports;
    }

    /**
     * Starts the server; it leads a little later.
     *
     * @param isHeapFull whether new work is refused for want of memory
     */
    static ServerSide start(
            DataDirectory data, Arrangement arrangement, BooleanSupplier isHeapFull, InWork inWork, Ports ports)
            throws Trouble {
        Arrangement.Names names = arrangement.names();
        Server server = Server.of(
                new ServerSettings(
                        data.directory("server"),
                        names.agent(),
                        Arrangement.REGION,
                        names.datacenter(),
                        inWork,
                        arrangement.garbage().with(isHeapFull),
                        ServerSide::room),
                ports.time(),
                ports.chance(),
                ports.ids(),
                ports.threads(),
                ports.faults());
        server.start();
        Membership membership = alone(names, arrangement.tcp(), server);
        Requests requests = server.requests();
        ServerCluster cluster = new ServerCluster(
                requests.reads(), requests, membership, NodeView.API_VERSION, ports.time(), ports.ids());
        return new ServerSide(server, requests, cluster, data, ports);
    }

    private static Room.Left room(Path directory) throws IOException {
        try {
            FileSystems.Usage usage = FileSystems.linux().usage(directory);
            return new Room.Left(usage.available(), usage.inodes() == 0 ? Long.MAX_VALUE : usage.inodesFree());
        } catch (KernelTrouble unknown) {
            throw new IOException(unknown.reason(), unknown);
        }
    }

    /** A lone server listens for no other one: it announces where it answers, or no port. */
    private static Membership alone(Arrangement.Names names, Optional<Listener.Tcp> http, Server server) {
        String host = http.map(tcp -> tcp.address().getHostAddress()).orElse("127.0.0.1");
        int port = http.map(Listener.Tcp::port).orElse(0);
        return new LoneServer(
                new Membership.Member(names.agent(), names.agent(), host, port, true),
                Arrangement.REGION,
                names.datacenter(),
                () -> standing(server.status()));
    }

    private static Membership.LogStanding standing(ServerStatus status) {
        LogStatus log = status.commit().log();
        return new Membership.LogStanding(
                log.term(),
                log.lastApplied(),
                status.fault().isEmpty(),
                status.leadingSince().orElse(null));
    }

    /** For a node of this process. */
    Connector inProcess() {
        return InProcessLink.to(server.sessions(), ports.threads());
    }

    /**
     * Waits until it leads; or until it is known that it will as soon as its disk has room: what runs on the node is to
     * be watched meanwhile, and what is known to be read.
     */
    void awaitReady() throws LinkTrouble, InterruptedException {
        Deadline deadline = Deadline.in(ports.time(), LEADER_WITHIN);
        Optional<String> full = Optional.empty();
        boolean isReady = false;
        while (!isReady && full.isEmpty() && !deadline.isExpired()) {
            isReady = server.awaitReady(deadline.atMost(LOOK));
            full = server.status().waitsForRoom();
        }
        if (!isReady && full.isPresent()) {
            LOG.error(
                    "The server decides nothing: {}. What runs goes on and is watched; the server"
                            + " goes on by itself once there is room",
                    full.get());
        } else if (!isReady) {
            throw new LinkTrouble(
                    "the server does not lead after "
                            + LEADER_WITHIN.toSeconds()
                            + " s; its log is in "
                            + data.file("server"),
                    Effect.NONE,
                    Retry.SAME_CALL);
        }
    }

    /** Lets nodes of other processes in. */
    void admitNodes() throws LinkTrouble {
        nodes = GrpcSessions.listen(data.file(NODES), server.sessions(), ports.threads());
    }

    ServerCluster cluster() {
        return cluster;
    }

    /**
     * Where nodes of other processes are.
     *
     * @param ownNode empty if there is none in this process
     */
    AgentLocator locator(String ownNode) {
        return new NodeAddresses(requests.reads(), ownNode);
    }

    /** What must go on in it. */
    List<Watched> watched() {
        return server.watched();
    }

    /** Why it does not serve as it should, in words; empty if it does. */
    Optional<String> fault() {
        return server.status().fault();
    }

    /** Ends it; nodes go on without. */
    @Override
    public void close() {
        if (nodes != null) {
            nodes.close();
        }
        server.close();
    }
}
