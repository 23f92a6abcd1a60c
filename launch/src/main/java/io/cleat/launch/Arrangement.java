package io.cleat.launch;

import io.cleat.agent.NetworkSettings;
import io.cleat.agent.NodeView;
import io.cleat.agent.alloc.KeptFiles;
import io.cleat.agent.artifact.ConfinedArtifacts;
import io.cleat.api.AgentConfig;
import io.cleat.artifact.AddressRange;
import io.cleat.driver.docker.DockerSettings;
import io.cleat.driver.exec.ExecSettings;
import io.cleat.driverplugin.PluginSettings;
import io.cleat.http.AccessToken;
import io.cleat.http.Guard;
import io.cleat.http.Listener;
import io.cleat.image.StoreSettings;
import io.cleat.model.HostVolume;
import io.cleat.model.KillTimeout;
import io.cleat.server.duty.Garbage;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What one agent process is made of, and what it says of itself.
 *
 * @param parts what runs in it
 * @param isDev whether it is there to try things with
 * @param withoutLogs the drivers whose tasks' output is not kept
 * @param artifacts what tasks may have fetched
 * @param mounting how long a volume that may or may not be mounted is tried before its allocation fails
 * @param tcp where the HTTP API also listens, beside the socket in the data directory
 * @param kept how much of what ended allocations have left on the disk is kept
 * @param garbage when the server lets go what is over
 * @param token what is wanted of whoever comes over TCP; empty for nothing
 */
record Arrangement(
        Parts parts,
        boolean isDev,
        Names names,
        Optional<Listener.Tcp> tcp,
        boolean admitsAnyHost,
        Set<String> withoutLogs,
        ConfinedArtifacts.Settings artifacts,
        Duration mounting,
        KeptFiles kept,
        Garbage garbage,
        Optional<AccessToken> token) {
    static final String REGION = "global";

    /** What runs in the process. */
    sealed interface Parts {
        /**
         * A server.
         *
         * @param node whether a node runs beside it, linked in process
         * @param admitsNodes whether nodes of other processes may come
         */
        record WithServer(boolean node, boolean admitsNodes) implements Parts {}

        /**
         * A node alone.
         *
         * @param server the data directory of the server's agent
         */
        record NodeOnly(Path server) implements Parts {}
    }

    /**
     * How the agent is called, and what jobs may ask for.
     *
     * @param agent of the server and the node
     * @param longestKillTimeout how long a task may have to stop
     * @param exec of tasks of the driver {@code exec}
     * @param images of tasks of the driver {@code exec}
     * @param docker of tasks of the driver {@code docker}
     * @param hostVolumes directories of the machine that jobs may use, by name
     * @param hostPlugins the directory of programs that make host volumes; empty for none
     * @param networks whose ports jobs are given
     * @param driverPlugins programs that hold task drivers
     */
    record Names(
            String agent,
            String datacenter,
            String nodePool,
            String nodeClass,
            Map<String, String> meta,
            Duration longestKillTimeout,
            ExecSettings exec,
            StoreSettings images,
            DockerSettings docker,
            Map<String, HostVolume> hostVolumes,
            Optional<Path> hostPlugins,
            NetworkSettings networks,
            List<PluginSettings> driverPlugins) {
        static Names usual(String agent) {
            return new Names(
                    agent,
                    "dc1",
                    "default",
                    "",
                    Map.of(),
                    KillTimeout.USUAL,
                    ExecSettings.STRICT,
                    StoreSettings.standard(),
                    DockerSettings.STRICT,
                    HostVolume.NONE,
                    Optional.empty(),
                    NetworkSettings.USUAL,
                    List.of());
        }

        Names allowing(
                ExecSettings settings,
                List<AddressRange> addresses,
                DockerSettings containers,
                List<PluginSettings> plugins) {
            return new Names(
                    agent,
                    datacenter,
                    nodePool,
                    nodeClass,
                    meta,
                    longestKillTimeout,
                    settings,
                    images.allowing(addresses),
                    containers,
                    hostVolumes,
                    hostPlugins,
                    networks,
                    plugins);
        }
    }

    /** The same, but over TCP only with a token. */
    Arrangement wanting(AccessToken wanted) {
        return new Arrangement(
                parts,
                isDev,
                names,
                tcp,
                admitsAnyHost,
                withoutLogs,
                artifacts,
                mounting,
                kept,
                garbage,
                Optional.of(wanted));
    }

    /** Who is let in over HTTP. */
    Guard guard() {
        Guard guard = admitsAnyHost ? Guard.anyHost() : Guard.local();
        return token.map(guard::wanting).orElse(guard);
    }

    boolean hasServer() {
        return parts instanceof Parts.WithServer;
    }

    boolean hasNode() {
        return switch (parts) {
            case Parts.WithServer(boolean node, boolean _) -> node;
            case Parts.NodeOnly _ -> true;
        };
    }

    /** Where HTTP is spoken. */
    List<Listener> listeners(DataDirectory data) {
        return Stream.<Listener>concat(tcp.stream(), Stream.of(new Listener.Unix(data.file(HTTP))))
                .toList();
    }

    /** The socket of the HTTP API in a data directory. */
    static final String HTTP = "http.sock";

    /** The address that others are told: the port if there is one, else the socket. */
    String address(DataDirectory data) {
        return tcp.map(Listener.Tcp::toString).orElse("unix://" + data.file(HTTP));
    }

    NodeView.Settings node(DataDirectory data) {
        return new NodeView.Settings(
                names.agent(),
                names.datacenter(),
                names.nodePool(),
                names.nodeClass(),
                address(data),
                names.meta(),
                names.longestKillTimeout(),
                names.hostVolumes(),
                names.networks());
    }

    /** What the API shows of it. */
    AgentConfig config(DataDirectory data) {
        AgentConfig.Addresses addresses = new AgentConfig.Addresses(address(data), "", "");
        return new AgentConfig(
                new AgentConfig.Acl(false),
                addresses,
                addresses,
                tcp.map(listener -> listener.address().getHostAddress()).orElse(""),
                new AgentConfig.Client(hasNode(), names.nodeClass(), names.nodePool()),
                data.root().toString(),
                names.datacenter(),
                isDev,
                "INFO",
                names.agent(),
                new AgentConfig.Ports(tcp.map(Listener.Tcp::port).orElse(0), 0, 0),
                REGION,
                new AgentConfig.Server(hasServer() ? 1 : 0, hasServer()),
                new AgentConfig.Ui(false),
                new AgentConfig.Release(null, "", NodeView.API_VERSION, "", ""));
    }
}
