package io.cleat.agent.plugins;

import io.cleat.base.Chance;
import io.cleat.base.DiskTrouble;
import io.cleat.base.Time;
import io.cleat.csi.CallObserver;
import io.cleat.csi.CallPolicy;
import io.cleat.csi.PluginChannel;
import io.cleat.csi.PluginSocket;
import io.cleat.kernel.Place;
import io.cleat.kernel.SocketHandle;
import io.cleat.model.PluginInstance;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The registered plugins with a channel to each: one channel per instance, opened when it is first
 * used and closed when the instance goes.
 *
 * <p>Guarded by {@code lock}, never held during a call.
 */
public final class LivePlugins {
    private final PluginRegistry registry;
    private final Channels opener;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, PluginChannel> channels = new HashMap<>();

    /** A plugin that may be called. */
    public record Live(Registration registration, PluginChannel channel) {}

    /** How a channel to a plugin's socket is opened. Nothing is connected yet. */
    @FunctionalInterface
    public interface Channels {
        PluginChannel open(String plugin, Path socket);
    }

    /** Over Unix sockets, with the standard policy. */
    public LivePlugins(PluginRegistry registry, Time time, Chance chance) {
        this(
                registry,
                (plugin, socket) ->
                        PluginChannel.open(
                                plugin,
                                socket,
                                () -> open(socket),
                                CallPolicy.standard(),
                                time,
                                chance,
                                CallObserver.NONE));
    }

    public LivePlugins(PluginRegistry registry, Channels opener) {
        this.registry = registry;
        this.opener = opener;
    }

    /**
     * The socket in its control directory, which is the plugin's: a link to a socket of another is
     * none. The directory that holds all control directories is ours.
     */
    private static PluginSocket.Door open(Path socket) throws IOException {
        Path control = Objects.requireNonNull(socket.getParent());
        Path all = Objects.requireNonNull(control.getParent());
        SocketHandle handle = SocketHandle.open(Place.of(all, socket));
        return new PluginSocket.Door() {
            @Override
            public Path path() {
                return handle.path();
            }

            @Override
            public void close() {
                handle.close();
            }
        };
    }

    /** The instance in use. */
    public Optional<Live> current(PluginKind kind, String plugin) {
        return registry.current(kind, plugin).map(this::live);
    }

    /** That allocation's instance, whether in use or not. */
    public Optional<Live> instance(PluginKind kind, String plugin, String allocId) {
        return registry.forAllocation(kind, plugin, allocId).map(this::live);
    }

    /** What the node says of its plugins: of each the instance in use. */
    public List<PluginInstance> facts() {
        List<PluginInstance> facts = new ArrayList<>();
        for (PluginKind kind : PluginKind.values()) {
            for (Registration registration : registry.list(kind)) {
                if (!facts.contains(registration.facts())) {
                    facts.add(registration.facts());
                }
            }
        }
        return facts;
    }

    public Feed.Subscription subscribe() {
        return registry.subscribe();
    }

    /** A channel to an instance that is not registered yet, or is. */
    PluginChannel channel(String plugin, Path socket) {
        lock.lock();
        try {
            return channels.computeIfAbsent(socket.toString(), path -> opener.open(plugin, socket));
        } finally {
            lock.unlock();
        }
    }

    void register(Registration registration) throws DiskTrouble {
        registry.register(registration);
    }

    void deregister(PluginKind kind, String plugin, String allocId) throws DiskTrouble {
        registry.deregister(kind, plugin, allocId);
    }

    Optional<Registration> registered(PluginKind kind, String plugin, String allocId) {
        return registry.forAllocation(kind, plugin, allocId);
    }

    /** All instances of a plugin on this node, the newest first. */
    List<Registration> ofPlugin(PluginKind kind, String plugin) {
        return registry.all().stream()
                .filter(each -> each.kind() == kind && each.plugin().equals(plugin))
                .toList();
    }

    /** Takes an instance out, of the services that its task serves, and closes its channel. */
    void remove(List<PluginKind> kinds, String plugin, String allocId, Path socket)
            throws DiskTrouble {
        for (PluginKind kind : kinds) {
            registry.deregister(kind, plugin, allocId);
        }
        PluginChannel channel;
        lock.lock();
        try {
            channel = channels.remove(socket.toString());
        } finally {
            lock.unlock();
        }
        if (channel != null) {
            channel.close();
        }
    }

    private Live live(Registration registration) {
        return new Live(
                registration, channel(registration.plugin(), Path.of(registration.socket())));
    }
}
