package io.cleat.launch;

import io.cleat.agent.NodeView;
import io.cleat.base.Deadline;
import io.cleat.base.DiskTrouble;
import io.cleat.base.Effect;
import io.cleat.base.LinkTrouble;
import io.cleat.base.Refused;
import io.cleat.base.Retry;
import io.cleat.base.Trouble;
import io.cleat.http.ClusterApi;
import io.cleat.http.Dispatcher;
import io.cleat.http.Guard;
import io.cleat.http.HttpServer;
import io.cleat.http.Listener;
import io.cleat.http.NodeApi;
import io.cleat.http.routes.Routes;
import io.cleat.server.Server;
import io.cleat.server.ServerSettings;
import io.cleat.views.AgentNode;
import io.cleat.views.AgentSight;
import io.cleat.views.ServerCluster;
import io.cleat.views.ServerRequests;
import io.cleat.wire.InProcessLink;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A server and a node of one process, put together. */
final class DevAgent {
    private static final Logger LOG = LoggerFactory.getLogger(DevAgent.class);
    private static final Duration LEADER_WITHIN = Duration.ofSeconds(30);

    private final Server server;
    private final NodeSide node;
    private final HttpServer http;
    private final LocalPluginJob plugin;
    private final Listener.Tcp tcp;

    private DevAgent(
            Server server,
            NodeSide node,
            HttpServer http,
            LocalPluginJob plugin,
            Listener.Tcp tcp) {
        this.server = server;
        this.node = node;
        this.http = http;
        this.plugin = plugin;
        this.tcp = tcp;
    }

    static DevAgent start(DataDirectory data, DevOptions options, int port, Ports ports)
            throws Refused, Trouble, InterruptedException {
        Listener.Tcp tcp = new Listener.Tcp(address(options.bind()), port);
        String name = hostName();
        Server server =
                Server.of(
                        new ServerSettings(data.directory("server"), name, "global", "dc1"),
                        ports.time(),
                        ports.chance(),
                        ports.ids(),
                        ports.threads(),
                        ports.faults());
        server.start();
        NodeSide node =
                NodeSide.over(
                        data,
                        DevRole.shim(),
                        new NodeView.Settings(name, "dc1", "default", "", tcp.toString(), Map.of()),
                        InProcessLink.to(server.sessions(), ports.threads()),
                        ports);
        LoneServer membership = new LoneServer(name, tcp);
        ServerRequests requests = new ServerRequests(server.requests(), ports.time());
        ClusterApi cluster =
                new ServerCluster(
                        requests,
                        requests,
                        membership,
                        NodeView.API_VERSION,
                        ports.time(),
                        ports.ids());
        NodeApi self =
                new AgentNode(
                        DevFacts.setting(data, name, node, tcp),
                        membership,
                        AgentSight.of(node.allocations()),
                        node.drivers(),
                        () -> DevFacts.health(server),
                        ports.time());
        HttpServer http =
                HttpServer.open(
                        List.of(tcp, new Listener.Unix(data.file("http.sock"))),
                        new Dispatcher(
                                options.bind().equals("127.0.0.1")
                                        ? Guard.local()
                                        : Guard.anyHost(),
                                Routes.of(cluster, self),
                                cluster.operator()::regions,
                                ports.faults()),
                        HttpServer.Limits.DEFAULT,
                        ports.time());
        if (!server.awaitReady(Deadline.in(ports.time(), LEADER_WITHIN))) {
            throw new LinkTrouble(
                    "the server does not lead after "
                            + LEADER_WITHIN.toSeconds()
                            + " s; its log is in "
                            + data.file("server"),
                    Effect.NONE,
                    Retry.SAME_CALL);
        }
        node.connect();
        LocalPluginJob plugin = new LocalPluginJob(cluster, data, ports);
        plugin.ensure();
        return new DevAgent(server, node, http, plugin, tcp);
    }

    String address() {
        return "http://" + tcp;
    }

    boolean awaitPlugin(Deadline deadline) throws Refused, Trouble, InterruptedException {
        return plugin.awaitHealthy(deadline);
    }

    /**
     * Ends the agent.
     *
     * @param everything whether what runs on the node is ended and removed too
     */
    void end(boolean everything) throws InterruptedException {
        http.close();
        server.close();
        try {
            if (everything) {
                node.allocations().endAll();
            }
            if (node.allocations().known().isEmpty()) {
                node.release();
            }
            node.close();
        } catch (Trouble trouble) {
            LOG.warn("not all could be let go: {}", trouble.reason());
        }
    }

    private static InetAddress address(String bind) throws LinkTrouble {
        try {
            return InetAddress.getByName(bind);
        } catch (UnknownHostException e) {
            throw new LinkTrouble(
                    "-bind=" + bind + " is no address of this machine",
                    Effect.NONE,
                    Retry.NEVER,
                    e);
        }
    }

    private static String hostName() throws DiskTrouble {
        Path file = Path.of("/proc/sys/kernel/hostname");
        try {
            return Files.readString(file).strip();
        } catch (IOException e) {
            throw new DiskTrouble("reading " + file + ": " + e, Effect.NONE, Retry.SAME_CALL, e);
        }
    }
}
