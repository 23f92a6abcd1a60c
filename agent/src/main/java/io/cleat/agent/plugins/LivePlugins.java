package io.cleat.agent.plugins;

import io.cleat.base.Chance;
import io.cleat.base.Deadline;
import io.cleat.base.DiskTrouble;
import io.cleat.base.Time;
import io.cleat.csi.CallObserver;
import io.cleat.csi.CallPolicy;
import io.cleat.csi.PluginChannel;
import io.cleat.csi.PluginSocket;
import io.cleat.csi.RunEnds;
import io.cleat.kernel.Place;
import io.cleat.kernel.SocketHandle;
import io.cleat.model.PluginInstance;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The registered plugins with a channel to each: one channel per instance, opened when it is first used and closed when
 * the instance goes.
 *
 * <p>Guarded by {@code lock}, never held during a call.
 */
public final class LivePlugins {
    /** How long it takes at most to hear that a task has ended. */
    private static final Duration HEARD_WITHIN = Duration.ofSeconds(10);

    private static final int ENDS_KEPT = 256;

    private final PluginRegistry registry;
    private final Time time;
    private final Channels opener;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Map<String, PluginChannel> channels = new HashMap<>();

    /** By socket, which is an instance's over all its runs; the eldest is forgotten. */
    private final LinkedHashMap<String, RunEnds> ends = new LinkedHashMap<>();

    /** The allocations whose instance this agent has asked. */
    private final Set<String> asked = new HashSet<>();

    private volatile Runnable whenAsked = () -> {};

    /**
     * A plugin that may be called.
     *
     * @param registration not healthy as long as this agent has not asked the instance, whatever an earlier agent has
     *     written down
     */
    public record Live(Registration registration, PluginChannel channel) {}

    /** How a channel to a plugin's socket is opened. Nothing is connected yet. */
    @FunctionalInterface
    public interface Channels {
        PluginChannel open(String plugin, Path socket, RunEnds ends);
    }

    /** Over Unix sockets, with the standard policy. */
    public LivePlugins(PluginRegistry registry, Time time, Chance chance) {
        this(
                registry,
                time,
                (plugin, socket, ends) -> PluginChannel.open(
                        plugin,
                        socket,
                        () -> open(socket),
                        CallPolicy.standard().awaitingMounts(),
                        time,
                        chance,
                        CallObserver.NONE,
                        ends));
    }

    public LivePlugins(PluginRegistry registry, Time time, Channels opener) {
        this.registry = registry;
        this.time = time;
        this.opener = opener;
    }

    /**
     * The socket in its control directory, which is the plugin's: a link to a socket of another is none. The directory
     * that holds all control directories is ours.
     */
    private static PluginSocket.Opened open(Path socket) throws IOException {
        Path control = Objects.requireNonNull(socket.getParent());
        Path all = Objects.requireNonNull(control.getParent());
        SocketHandle handle = SocketHandle.open(Place.of(all, socket));
        return new PluginSocket.Opened() {
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

    /**
     * What the node says of its plugins: of each the instance in use. One that this agent has not asked yet is not
     * healthy, whatever an earlier agent has written down.
     */
    public List<PluginInstance> facts() {
        List<PluginInstance> facts = new ArrayList<>();
        for (PluginKind kind : PluginKind.values()) {
            for (Registration registration : registry.list(kind)) {
                PluginInstance now = known(registration).facts();
                if (!facts.contains(now)) {
                    facts.add(now);
                }
            }
        }
        return facts;
    }

    private Registration known(Registration registration) {
        lock.lock();
        try {
            return asked.contains(registration.allocId())
                    ? registration
                    : registration.saying(PluginReading.notAsked(registration.facts()));
        } finally {
            lock.unlock();
        }
    }

    /**
     * Has {@code told} run each time an instance was asked: the registry tells nobody when it has answered this agent
     * what it had answered an earlier one.
     */
    void whenAsked(Runnable told) {
        whenAsked = told;
    }

    /**
     * Waits until each instance that an earlier agent has registered was asked by this one, so that a restart of the
     * agent looks like no loss of a plugin; or until the deadline.
     */
    public void awaitAsked(Deadline deadline) throws InterruptedException {
        List<String> known =
                registry.all().stream().map(Registration::allocId).distinct().toList();
        lock.lockInterruptibly();
        try {
            while (!asked.containsAll(known) && !deadline.isExpired()) {
                time.await(changed, deadline);
            }
        } finally {
            lock.unlock();
        }
    }

    /** An instance was asked: what is registered of it is what it has answered, or that it did not. */
    private void asked(String allocId) {
        lock.lock();
        try {
            asked.add(allocId);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        whenAsked.run();
    }

    public Feed.Subscription subscribe() {
        return registry.subscribe();
    }

    /** A channel to an instance that is not registered yet, or is. */
    PluginChannel channel(String plugin, Path socket) {
        lock.lock();
        try {
            return channels.computeIfAbsent(socket.toString(), path -> opener.open(plugin, socket, ends(socket)));
        } finally {
            lock.unlock();
        }
    }

    private RunEnds ends(Path socket) {
        RunEnds known = ends.computeIfAbsent(socket.toString(), absent -> new RunEnds(time, HEARD_WITHIN));
        if (ends.size() > ENDS_KEPT) {
            ends.pollFirstEntry();
        }
        return known;
    }

    /** A run of an instance has ended; said before its channel is closed. */
    void ended(Path socket, RunEnds.Reason reason) {
        endsOf(socket).ended(reason);
    }

    /** The calls during which the last run ended by itself; asked once its channel is closed. */
    List<RunEnds.During> endedDuring(Path socket) throws InterruptedException {
        return endsOf(socket).during(Deadline.in(time, HEARD_WITHIN));
    }

    private RunEnds endsOf(Path socket) {
        lock.lock();
        try {
            return ends(socket);
        } finally {
            lock.unlock();
        }
    }

    void register(Registration registration) throws DiskTrouble {
        registry.register(registration);
        asked(registration.allocId());
    }

    void deregister(PluginKind kind, String plugin, String allocId) throws DiskTrouble {
        registry.deregister(kind, plugin, allocId);
    }

    Optional<Registration> registered(PluginKind kind, String plugin, String allocId) {
        return registry.forAllocation(kind, plugin, allocId);
    }

    /** Whether that instance is registered still, whatever is known of it. */
    boolean isRegistered(Registration of) {
        return registered(of.kind(), of.plugin(), of.allocId()).isPresent();
    }

    /** All instances of a plugin on this node, the newest first. */
    List<Registration> ofPlugin(PluginKind kind, String plugin) {
        return registry.all().stream()
                .filter(each -> each.kind() == kind && each.plugin().equals(plugin))
                .toList();
    }

    /** Takes an instance out, of the services that its task serves, and closes its channel. */
    void remove(List<PluginKind> kinds, String plugin, String allocId, Path socket) throws DiskTrouble {
        for (PluginKind kind : kinds) {
            registry.deregister(kind, plugin, allocId);
        }
        PluginChannel channel;
        lock.lock();
        try {
            asked.remove(allocId);
            changed.signalAll();
            channel = channels.remove(socket.toString());
        } finally {
            lock.unlock();
        }
        if (channel != null) {
            channel.close();
        }
    }

    private Live live(Registration registration) {
        return new Live(known(registration), channel(registration.plugin(), Path.of(registration.socket())));
    }
}
