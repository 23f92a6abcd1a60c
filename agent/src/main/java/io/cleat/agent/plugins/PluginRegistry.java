package io.cleat.agent.plugins;

import io.cleat.base.DiskTrouble;
import io.cleat.base.Effect;
import io.cleat.base.Retry;
import io.cleat.codec.RecordCodec;
import io.cleat.kernel.DurableFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The plugin instances of this node, per service and plugin, the newest first: the newest is the one in use, and when
 * it ends the one before it is again.
 *
 * <p>What is registered is durable before anyone sees it; what cannot be written down is not registered. Changes are
 * guarded by {@code lock}, held while the file is written, so that file and events have one order; who looks up takes
 * no lock, so a disk that stalls holds up no lookup. Subscribers are told through a {@link Feed}, which never makes
 * this wait.
 */
public final class PluginRegistry implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PluginRegistry.class);
    static final RecordCodec<Stored> FORMAT = RecordCodec.stored("preg", 1, Stored.class);

    /** As in the file, newest first. */
    record Stored(List<Registration> registrations) {}

    private final Writing writing;
    private final ReentrantLock lock = new ReentrantLock();
    private final Feed feed;

    /** Never changed, only exchanged, under the lock. */
    private volatile List<Registration> registrations;

    /** Makes the file hold these bytes, durably. */
    interface Writing {
        void write(byte[] bytes) throws DiskTrouble;
    }

    /** Opens the registry with what was registered when it was last written. */
    public PluginRegistry(Path file, Feed feed) throws DiskTrouble {
        this(file, feed, bytes -> DurableFiles.write(file, bytes));
    }

    PluginRegistry(Path file, Feed feed, Writing writing) throws DiskTrouble {
        this.writing = writing;
        this.feed = feed;
        this.registrations = load(file);
        feed.begin(registrations);
    }

    /** What cannot be read is begun anew: each plugin that runs is registered again once it answers. */
    private static List<Registration> load(Path file) throws DiskTrouble {
        if (Files.notExists(file)) {
            return List.of();
        }
        byte[] bytes;
        try {
            bytes = Files.readAllBytes(file);
        } catch (IOException e) {
            throw new DiskTrouble("reading " + file + ": " + e, Effect.NONE, Retry.SAME_CALL, e);
        }
        try {
            return List.copyOf(FORMAT.decode(bytes).registrations());
        } catch (DiskTrouble damaged) {
            if (FORMAT.isNewer(bytes)) {
                throw damaged;
            }
            LOG.warn(
                    "{} cannot be used ({}): it is begun anew, and plugins that run are registered again",
                    file,
                    damaged.reason());
            return List.of();
        }
    }

    /**
     * Registers an instance as the newest, or updates what is known of it, in its place. What is already known is told
     * nobody.
     *
     * @throws DiskTrouble if it could not be written down: nothing has changed
     */
    public void register(Registration registration) throws DiskTrouble {
        requireNamed(registration.plugin(), registration.allocId(), registration.socket());
        lock.lock();
        try {
            List<Registration> next = new ArrayList<>(registrations);
            int known = indexOf(registration.kind(), registration.plugin(), registration.allocId());
            if (known < 0) {
                next.addFirst(registration);
                keep(next, new RegistryEvent.Registered(registration));
            } else if (!next.get(known).saysTheSameAs(registration)) {
                next.set(known, registration);
                keep(next, new RegistryEvent.Updated(registration));
            }
        } finally {
            lock.unlock();
        }
    }

    /** Takes an instance out; one that is not there is fine, and told nobody. */
    public void deregister(PluginKind kind, String plugin, String allocId) throws DiskTrouble {
        requireNamed(plugin, allocId, "-");
        lock.lock();
        try {
            int known = indexOf(kind, plugin, allocId);
            if (known >= 0) {
                List<Registration> next = new ArrayList<>(registrations);
                Registration gone = next.remove(known);
                keep(next, new RegistryEvent.Deregistered(gone));
            }
        } finally {
            lock.unlock();
        }
    }

    /** The instance in use of each plugin of that service. */
    public List<Registration> list(PluginKind kind) {
        List<Registration> newest = new ArrayList<>();
        for (Registration each : all()) {
            if (each.kind() == kind && newest.stream().noneMatch(n -> n.plugin().equals(each.plugin()))) {
                newest.add(each);
            }
        }
        return newest;
    }

    /** The instance in use. */
    public Optional<Registration> current(PluginKind kind, String plugin) {
        return all().stream()
                .filter(r -> r.kind() == kind && r.plugin().equals(plugin))
                .findFirst();
    }

    /** That allocation's instance, whether in use or not. */
    public Optional<Registration> forAllocation(PluginKind kind, String plugin, String allocId) {
        return all().stream()
                .filter(r -> r.kind() == kind
                        && r.plugin().equals(plugin)
                        && r.allocId().equals(allocId))
                .findFirst();
    }

    /** Every instance, newest first. */
    public List<Registration> all() {
        return registrations;
    }

    /** All that is registered now, and then each change, in order. */
    public Feed.Subscription subscribe() {
        return feed.subscribe();
    }

    /** Ends all subscriptions; idempotent, at any time. */
    @Override
    public void close() {
        feed.close();
    }

    private int indexOf(PluginKind kind, String plugin, String allocId) {
        for (int i = 0; i < registrations.size(); i++) {
            Registration each = registrations.get(i);
            if (each.kind() == kind
                    && each.plugin().equals(plugin)
                    && each.allocId().equals(allocId)) {
                return i;
            }
        }
        return -1;
    }

    private void keep(List<Registration> next, RegistryEvent event) throws DiskTrouble {
        writing.write(FORMAT.encodeForFile(new Stored(next)));
        registrations = List.copyOf(next);
        feed.publish(event, registrations);
    }

    private static void requireNamed(String plugin, String allocId, String socket) {
        if (plugin.isEmpty() || allocId.isEmpty() || socket.isEmpty()) {
            throw new IllegalArgumentException(
                    "a registration needs a plugin, an allocation and a socket; given: plugin '"
                            + plugin
                            + "', allocation '"
                            + allocId
                            + "', socket '"
                            + socket
                            + "'");
        }
    }
}
