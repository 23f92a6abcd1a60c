package io.cleat.agent.network;

import io.cleat.base.DiskTrouble;
import io.cleat.base.DriverTrouble;
import io.cleat.base.Effect;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Retry;
import io.cleat.base.Threads;
import io.cleat.base.Trouble;
import io.cleat.driver.NetworkMaker;
import io.cleat.kernel.BootId;
import io.cleat.kernel.ShimCall;
import io.cleat.kernel.TextPath;
import io.cleat.model.AllocAddress;
import io.cleat.model.AllocatedPort;
import io.cleat.model.GroupNetwork;
import io.cleat.model.NetworkDns;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the networks of allocations, finds them again, and undoes them. Of each step it is written down first that it
 * may have been taken, so that whatever is left by a death is undone.
 *
 * <p>Any thread, of one allocation one at a time.
 */
public final class AllocationNetworks {
    private static final Logger LOG = LoggerFactory.getLogger(AllocationNetworks.class);

    /** How long a plugin may take: some wait for an answer of the network. */
    private static final Duration WITHIN = Duration.ofSeconds(60);

    /**
     * The plugin that, of version 1.1, looks for the rules of every port in both families, where each of ours has an
     * address of one: it never finds all.
     */
    private static final String PORTS = "portmap";

    private final NetworkStore store;
    private final NetworkNamespaces namespaces;
    private final CniNetworks networks;
    private final CniPlugins plugins;
    private final BootId boot;
    private final Makers makers;
    private volatile CountDownLatch collected = new CountDownLatch(0);

    /** Drivers that make namespaces themselves, by name; empty for one that does not. */
    @FunctionalInterface
    public interface Makers {
        Optional<NetworkMaker> apply(String driver);
    }

    private AllocationNetworks(
            NetworkStore store,
            NetworkNamespaces namespaces,
            CniNetworks networks,
            CniPlugins plugins,
            BootId boot,
            Makers makers) {
        this.store = store;
        this.namespaces = namespaces;
        this.networks = networks;
        this.plugins = plugins;
        this.boot = boot;
        this.makers = makers;
    }

    /**
     * Of this machine.
     *
     * @param directory where it is written down what was made
     * @param shim runs the plugins
     * @param makers the drivers that make namespaces themselves
     */
    public static AllocationNetworks at(
            Path directory, CniSettings settings, Path shim, Threads threads, BootId boot, Makers makers)
            throws DiskTrouble {
        return at(directory, settings, shim, threads, boot, makers, WITHIN);
    }

    static AllocationNetworks at(
            Path directory,
            CniSettings settings,
            Path shim,
            Threads threads,
            BootId boot,
            Makers makers,
            Duration within)
            throws DiskTrouble {
        ShimCall calls = new ShimCall(shim, threads);
        CniPlugins plugins = new CniPlugins(settings.programs(), calls, within);
        return new AllocationNetworks(
                new NetworkStore(directory),
                new NetworkNamespaces(calls),
                new CniNetworks(settings, plugins),
                plugins,
                boot,
                makers);
    }

    /** The modes of networks that a group may ask for here, beside the node's own. */
    public List<String> modes() {
        return networks.modes();
    }

    /**
     * Has the plugins of networks undo what no allocation of this machine has any more, where they know how to. Until
     * that is over no allocation is connected, which they might undo.
     */
    public void collect(Threads threads) {
        CountDownLatch over = new CountDownLatch(1);
        collected = over;
        threads.contained(
                "network-collection",
                () -> {
                    try {
                        collect();
                    } finally {
                        over.countDown();
                    }
                },
                fault -> LOG.error("what nobody has any more stays in networks", fault));
    }

    private void collect() throws InterruptedException {
        for (CniNetwork network : networks.collected()) {
            try {
                Set<String> connected = new TreeSet<>(NetworkNamespaces.all());
                held().forEach(allocId -> connected.add(NetworkNamespaces.name(allocId)));
                for (NetworkRecord.Call call : network.collection(connected, CniPlugins.INTERFACE)) {
                    collect(network, call);
                }
            } catch (Trouble | IOException unreadable) {
                LOG.warn("it is not known which networks there are: {}", unreadable.toString());
            }
        }
    }

    /** One that fails keeps no other from it. */
    private void collect(CniNetwork network, NetworkRecord.Call call) throws InterruptedException {
        try {
            plugins.collect(call);
        } catch (KernelTrouble failed) {
            LOG.warn("what nobody has any more may stay in network {}: {}", network.name(), failed.reason());
        }
    }

    /**
     * Asks the plugins whether an allocation is connected as they said.
     *
     * @return what the first says that finds it otherwise; empty if none does, or none may be asked
     */
    public Optional<String> check(String allocId) throws DiskTrouble, InterruptedException {
        Optional<NetworkRecord> known = store.find(allocId);
        if (known.isEmpty()
                || !known.get().isReady()
                || !networks.mayCheck(known.get().mode())) {
            return Optional.empty();
        }
        for (NetworkRecord.Call call : known.get().calls()) {
            try {
                if (!call.type().equals(PORTS)) {
                    plugins.check(known.get(), call);
                }
            } catch (KernelTrouble found) {
                return Optional.of(found.reason());
            }
        }
        return Optional.empty();
    }

    /** The allocations of which something may be there. */
    public Set<String> held() throws DiskTrouble {
        Set<String> held = new TreeSet<>();
        store.all().forEach(network -> held.add(network.allocId()));
        return held;
    }

    /**
     * Makes an allocation's network if it is not there. What a failure leaves is undone, at once or by {@link #remove}.
     *
     * @param maker the task driver that has to make the namespace itself; empty where none has to
     * @param mayRun whether tasks of the allocation may run in it
     * @throws Trouble with the words of the plugin that failed
     */
    public JoinedNetwork ensure(
            String allocId, GroupNetwork wanted, List<AllocatedPort> ports, Optional<String> maker, boolean mayRun)
            throws Trouble, InterruptedException {
        Optional<NetworkRecord> known = store.find(allocId);
        boolean isOfThisBoot = known.filter(network -> isOfThisBoot(network)).isPresent();
        boolean isReady = isOfThisBoot && known.get().isReady() && isThere(known.get());
        if (isReady) {
            return joined(known.get());
        }
        if (mayRun && isOfThisBoot) {
            throw new KernelTrouble(
                    "the network namespace "
                            + NetworkNamespaces.path(allocId)
                            + " of its running tasks is not there any more",
                    Effect.NONE,
                    Retry.NEVER);
        }
        collected.await();
        // Of another boot, or begun by an agent that died; or its record is lost, and nothing runs.
        remove(allocId);
        NetworkRecord network = record(allocId, wanted, ports, maker);
        store.put(network);
        try {
            return make(network, wanted);
        } catch (Trouble failure) {
            undo(allocId, failure);
            throw failure;
        }
    }

    private JoinedNetwork joined(NetworkRecord network) throws KernelTrouble {
        Path namespace =
                TextPath.require("the network namespace of allocation " + network.allocId(), network.namespace());
        Optional<AllocAddress> address = plugins.address(network);
        return new JoinedNetwork(
                Optional.of(namespace),
                network.made() == null ? Map.of() : network.made().labels(),
                address.orElse(null),
                address.map(AllocAddress::dns).orElse(NetworkDns.OF_NODE));
    }

    private boolean isOfThisBoot(NetworkRecord network) {
        return network.boot().equals(boot.value());
    }

    /** What a driver has made is its own: it says so itself if it is gone. */
    private boolean isThere(NetworkRecord network) {
        return network.driver() != null || namespaces.isThere(network.allocId());
    }

    private NetworkRecord record(String allocId, GroupNetwork wanted, List<AllocatedPort> ports, Optional<String> maker)
            throws KernelTrouble {
        List<NetworkRecord.Call> calls = wanted.mode().equals(GroupNetwork.NONE)
                ? List.of()
                : networks.of(wanted.mode()).calls(ports);
        return new NetworkRecord(
                allocId,
                boot.value(),
                wanted.mode(),
                calls,
                0,
                CniNetwork.args(wanted.cniArgs()),
                "",
                false,
                maker.orElse(null),
                null);
    }

    private JoinedNetwork make(NetworkRecord begun, GroupNetwork wanted) throws Trouble, InterruptedException {
        NetworkRecord network = begun;
        if (network.driver() == null) {
            namespaces.make(network.allocId());
        } else {
            network = network.made(maker(network.driver()).make(network.allocId(), told(wanted)));
            store.put(network);
            TextPath.require("the namespace that the driver " + network.driver() + " has made", network.namespace());
        }
        for (NetworkRecord.Call call : network.calls()) {
            plugins.require(call);
            network = network.asking();
            store.put(network);
            network = network.answered(plugins.add(network, call));
        }
        store.put(network.ready());
        return joined(network);
    }

    /** What a node puts into a name is known to its tasks alone. */
    private static String told(GroupNetwork wanted) {
        return wanted.hostname().contains("${") ? "" : wanted.hostname();
    }

    private NetworkMaker maker(String driver) throws DriverTrouble {
        return makers.apply(driver)
                .orElseThrow(() -> new DriverTrouble(
                        "the driver \"" + driver + "\", which makes networks itself, is not here, or does not any more",
                        Effect.NONE,
                        Retry.AFTER_OBSERVING));
    }

    /** What cannot be undone now is undone with the allocation's end. */
    private void undo(String allocId, Trouble failure) throws InterruptedException {
        try {
            remove(allocId);
        } catch (Trouble left) {
            failure.addSuppressed(left);
        }
    }

    /**
     * Undoes all of it. Idempotent: what is not known, or was never made, is undone.
     *
     * @throws Trouble if something may be left; it is to be tried again
     */
    public void remove(String allocId) throws Trouble, InterruptedException {
        Optional<NetworkRecord> known = store.find(allocId);
        if (known.isPresent()) {
            // After a boot another namespace may be where that of a driver was.
            boolean isGone = known.get().driver() != null && !isOfThisBoot(known.get());
            disconnect(isGone ? known.get().made(null) : known.get());
            unmake(known.get());
        }
        namespaces.remove(allocId);
        if (known.isPresent()) {
            store.remove(allocId);
        }
    }

    /** No namespace outlives a boot, so what a driver says after it keeps nothing here. */
    private void unmake(NetworkRecord network) throws DriverTrouble, InterruptedException {
        if (network.driver() == null) {
            return;
        }
        NetworkMaker.Made made = network.made() == null ? new NetworkMaker.Made("", Map.of()) : network.made();
        try {
            maker(network.driver()).unmake(network.allocId(), made);
        } catch (DriverTrouble failed) {
            if (isOfThisBoot(network)) {
                throw failed;
            }
            LOG.warn(
                    "the network of allocation {} is gone with the boot; its driver: {}",
                    network.allocId(),
                    failed.reason());
        }
    }

    /** A plugin that fails keeps no other from undoing what it has made. */
    private void disconnect(NetworkRecord network) throws Trouble, InterruptedException {
        Optional<KernelTrouble> first = Optional.empty();
        for (NetworkRecord.Call call : network.toUndo()) {
            try {
                plugins.delete(network, call);
            } catch (KernelTrouble failure) {
                first = first.or(() -> Optional.of(failure));
            }
        }
        if (first.isPresent()) {
            throw first.get();
        }
    }
}
