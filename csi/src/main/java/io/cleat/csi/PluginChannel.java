package io.cleat.csi;

import io.cleat.base.Chance;
import io.cleat.base.SystemTime;
import io.cleat.base.Time;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * The channel to one instance of a plugin: opened once, used by many threads, closed once. Opening connects nothing;
 * the socket may come later.
 */
public final class PluginChannel implements AutoCloseable {
    /** What a Unix socket's address holds, its closing zero left out. */
    static final int MOST_PATH_BYTES = 107;

    private final Transport transport;
    private final IdentityClient identity;
    private final ControllerClient controller;
    private final NodeClient node;
    private final SnapshotClient snapshots;
    private final GroupClient groups;
    private final SnapshotMetadataClient snapshotMetadata;
    private final HealthClient health;

    private PluginChannel(Transport transport, Tries tries) {
        this.transport = transport;
        this.identity = new IdentityClient(tries);
        this.controller = new ControllerClient(tries);
        this.node = new NodeClient(tries);
        this.snapshots = new SnapshotClient(tries, controller.abilities());
        this.groups = new GroupClient(tries);
        this.snapshotMetadata = new SnapshotMetadataClient(tries, identity.abilities());
        this.health = new HealthClient(tries, controller.abilities(), node.abilities());
    }

    /**
     * A channel with the standard policy and the machine's own clock.
     *
     * @param plugin its name in messages
     * @param socket at most 107 bytes long
     */
    public static PluginChannel open(String plugin, Path socket) {
        return open(plugin, socket, CallPolicy.standard(), new SystemTime(), Chance.system(), CallObserver.NONE);
    }

    /** As {@link #open(String, Path)}, with everything chosen. */
    public static PluginChannel open(
            String plugin, Path socket, CallPolicy policy, Time time, Chance chance, CallObserver observer) {
        return open(plugin, socket, PluginSocket.at(socket), policy, time, chance, observer, RunEnds.untold(time));
    }

    /**
     * As {@link #open(String, Path)}, with everything chosen.
     *
     * @param opened what is connected to, each time anew
     * @param ends of the runs of the plugin, of which this channel is to one
     */
    public static PluginChannel open(
            String plugin,
            Path socket,
            PluginSocket opened,
            CallPolicy policy,
            Time time,
            Chance chance,
            CallObserver observer,
            RunEnds ends) {
        int length = socket.toString().getBytes(StandardCharsets.UTF_8).length;
        if (length > MOST_PATH_BYTES) {
            throw new IllegalArgumentException("socket "
                    + socket
                    + " of plugin "
                    + plugin
                    + " has a path of "
                    + length
                    + " bytes, expected at most "
                    + MOST_PATH_BYTES
                    + ": choose a shorter data directory");
        }
        return over(
                new UnixTransport(socket, opened, policy.mostReplyBytes(), policy.awaitsMounts()),
                plugin,
                policy,
                time,
                chance,
                observer,
                ends);
    }

    /** As {@link #open(String, Path)}, over a transport of one's own, which is closed with it. */
    public static PluginChannel over(
            Transport transport, String plugin, CallPolicy policy, Time time, Chance chance, CallObserver observer) {
        return over(transport, plugin, policy, time, chance, observer, RunEnds.untold(time));
    }

    /**
     * As {@link #over(Transport, String, CallPolicy, Time, Chance, CallObserver)}.
     *
     * @param ends of the runs of the plugin, of which this channel is to one
     */
    public static PluginChannel over(
            Transport transport,
            String plugin,
            CallPolicy policy,
            Time time,
            Chance chance,
            CallObserver observer,
            RunEnds ends) {
        return new PluginChannel(transport, new Tries(plugin, transport, policy, time, chance, observer, ends));
    }

    public IdentityClient identity() {
        return identity;
    }

    public ControllerClient controller() {
        return controller;
    }

    public NodeClient node() {
        return node;
    }

    public SnapshotClient snapshots() {
        return snapshots;
    }

    public GroupClient groups() {
        return groups;
    }

    public SnapshotMetadataClient snapshotMetadata() {
        return snapshotMetadata;
    }

    public HealthClient health() {
        return health;
    }

    /** Breaks the connection. Calls in flight end with trouble; so do later ones. Idempotent. */
    @Override
    public void close() {
        transport.close();
    }
}
