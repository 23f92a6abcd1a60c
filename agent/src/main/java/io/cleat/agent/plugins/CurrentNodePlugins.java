package io.cleat.agent.plugins;

import io.cleat.agent.volumes.NodePlugin;
import io.cleat.agent.volumes.NodePlugins;
import io.cleat.base.Deadline;
import io.cleat.base.Threads;
import io.cleat.base.Time;
import io.cleat.base.VisibleText;
import io.cleat.model.NodeCapability;
import io.cleat.model.PluginInstance;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The registered node plugins, as mounting asks for them: the instance in use, while it is healthy.
 *
 * <p>Guarded by {@code lock}.
 */
public final class CurrentNodePlugins implements NodePlugins {
    private final LivePlugins plugins;
    private final Time time;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Map<Instance, Known> known = new HashMap<>();
    private long changes;

    private record Instance(String plugin, String allocId) {
        static Instance of(Registration registration) {
            return new Instance(registration.plugin(), registration.allocId());
        }
    }

    /** What was made of the newest registration of an instance. */
    private record Known(Registration registration, NodePlugin plugin) {}

    public CurrentNodePlugins(LivePlugins plugins, Threads threads, Time time) {
        this.plugins = plugins;
        this.time = time;
        Feed.Subscription subscription = plugins.subscribe();
        plugins.whenAsked(this::stir);
        threads.vital("plugins/watch", () -> watch(subscription), subscription::isOver);
    }

    @Override
    public Optional<NodePlugin> current(String pluginId) {
        return plugins.current(PluginKind.NODE, pluginId)
                .filter(live -> live.registration().facts().healthy())
                .map(this::plugin);
    }

    @Override
    public String absence(String pluginId) {
        return plugins.current(PluginKind.NODE, pluginId)
                .map(LivePlugins.Live::registration)
                .map(registration -> "which is not healthy on this node, as allocation "
                        + registration.allocId()
                        + ": "
                        + VisibleText.line(registration.facts().healthDescription()))
                .orElse("of which no task that has answered runs on this node");
    }

    @Override
    public void awaitChange(String pluginId, Optional<NodePlugin> seen, BooleanSupplier isEnough, Deadline deadline)
            throws InterruptedException {
        for (; ; ) {
            long before = changesNow();
            if (!current(pluginId).equals(seen) || isEnough.getAsBoolean() || deadline.isExpired()) {
                return;
            }
            lock.lockInterruptibly();
            try {
                if (changes == before) {
                    time.await(changed, deadline);
                }
            } finally {
                lock.unlock();
            }
        }
    }

    @Override
    public void stir() {
        lock.lock();
        try {
            changes++;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** One object per registration, so that the same instance is equal to itself. */
    private NodePlugin plugin(LivePlugins.Live live) {
        Registration registration = live.registration();
        PluginInstance.Node service = registration.facts().node();
        lock.lock();
        try {
            Known before = known.get(Instance.of(registration));
            if (before != null && before.registration().equals(registration)) {
                return before.plugin();
            }
            NodePlugin made = new NodePlugin(
                    registration.allocId(),
                    live.channel().node(),
                    announces(service, NodeCapability.STAGE_UNSTAGE_VOLUME),
                    announces(service, NodeCapability.VOLUME_MOUNT_GROUP),
                    Path.of(registration.hostRoot()),
                    Path.of(registration.pluginRoot()),
                    service == null ? "" : service.externalNodeId(),
                    registration.onMountLoss());
            // The event that takes an instance out may have come since it was looked up: then no
            // other one will.
            if (plugins.isRegistered(registration)) {
                known.put(Instance.of(registration), new Known(registration, made));
            }
            return made;
        } finally {
            lock.unlock();
        }
    }

    private static boolean announces(PluginInstance.@Nullable Node service, NodeCapability capability) {
        return service != null && service.capabilities().contains(capability);
    }

    /** How many instances something is kept of. */
    int kept() {
        lock.lock();
        try {
            return known.size();
        } finally {
            lock.unlock();
        }
    }

    /** How often something has changed: who waits looks again then. */
    long changesNow() {
        lock.lock();
        try {
            return changes;
        } finally {
            lock.unlock();
        }
    }

    private void watch(Feed.Subscription subscription) throws InterruptedException {
        for (Optional<RegistryEvent> event = subscription.next(); event.isPresent(); event = subscription.next()) {
            lock.lock();
            try {
                switch (event.get()) {
                    case RegistryEvent.Deregistered(Registration gone) -> known.remove(Instance.of(gone));
                    case RegistryEvent.Snapshot(List<Registration> now) ->
                        known.keySet().retainAll(now.stream().map(Instance::of).toList());
                    case RegistryEvent.Registered _, RegistryEvent.Updated _ -> {}
                }
                changes++;
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }
}
