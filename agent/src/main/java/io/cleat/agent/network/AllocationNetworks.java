package io.cleat.agent.network;

import io.cleat.base.DiskTrouble;
import io.cleat.base.Effect;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Retry;
import io.cleat.base.Threads;
import io.cleat.base.Trouble;
import io.cleat.kernel.BootId;
import io.cleat.kernel.ShimCall;
import io.cleat.model.AllocAddress;
import io.cleat.model.AllocatedPort;
import io.cleat.model.GroupNetwork;
import io.cleat.model.NetworkDns;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Makes the networks of allocations, finds them again, and undoes them. Of each step it is written
 * down first that it may have been taken, so that whatever is left by a death is undone.
 *
 * <p>Any thread, of one allocation one at a time.
 */
public final class AllocationNetworks {
    /** How long a plugin may take: some wait for an answer of the network. */
    private static final Duration WITHIN = Duration.ofSeconds(60);

    private final NetworkStore store;
    private final NetworkNamespaces namespaces;
    private final CniNetworks networks;
    private final CniPlugins plugins;
    private final BootId boot;

    /**
     * What an allocation has in its network.
     *
     * @param address null if it has none there
     * @param dns as its plugins say; empty where they say nothing of it
     */
    public record Joined(@Nullable AllocAddress address, NetworkDns dns) {}

    private AllocationNetworks(
            NetworkStore store,
            NetworkNamespaces namespaces,
            CniNetworks networks,
            CniPlugins plugins,
            BootId boot) {
        this.store = store;
        this.namespaces = namespaces;
        this.networks = networks;
        this.plugins = plugins;
        this.boot = boot;
    }

    /**
     * Of this machine.
     *
     * @param directory where it is written down what was made
     * @param shim runs the plugins
     */
    public static AllocationNetworks at(
            Path directory, CniSettings settings, Path shim, Threads threads, BootId boot)
            throws DiskTrouble {
        return at(directory, settings, shim, threads, boot, WITHIN);
    }

    static AllocationNetworks at(
            Path directory,
            CniSettings settings,
            Path shim,
            Threads threads,
            BootId boot,
            Duration within)
            throws DiskTrouble {
        ShimCall calls = new ShimCall(shim, threads);
        CniPlugins plugins = new CniPlugins(settings.programs(), calls, within);
        return new AllocationNetworks(
                new NetworkStore(directory),
                new NetworkNamespaces(calls),
                new CniNetworks(settings, plugins),
                plugins,
                boot);
    }

    /** The modes of networks that a group may ask for here, beside the node's own. */
    public List<String> modes() {
        return networks.modes();
    }

    /** The allocations of which something may be there. */
    public Set<String> held() throws DiskTrouble {
        Set<String> held = new TreeSet<>();
        store.all().forEach(network -> held.add(network.allocId()));
        return held;
    }

    /**
     * Makes an allocation's network if it is not there. What a failure leaves is undone, at once or
     * by {@link #remove}.
     *
     * @param mayRun whether tasks of the allocation may run in it
     * @throws Trouble with the words of the plugin that failed
     */
    public Joined ensure(
            String allocId, GroupNetwork wanted, List<AllocatedPort> ports, boolean mayRun)
            throws Trouble, InterruptedException {
        Optional<NetworkRecord> known = store.find(allocId);
        boolean isOfThisBoot = known.filter(network -> isOfThisBoot(network)).isPresent();
        boolean isReady = isOfThisBoot && known.get().isReady() && namespaces.isThere(allocId);
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
        // Of another boot, or begun by an agent that died; or its record is lost, and nothing runs.
        remove(allocId);
        NetworkRecord network = record(allocId, wanted, ports);
        store.put(network);
        try {
            return make(network);
        } catch (Trouble failure) {
            undo(allocId, failure);
            throw failure;
        }
    }

    private Joined joined(NetworkRecord network) throws KernelTrouble {
        return new Joined(plugins.address(network).orElse(null), plugins.dns(network));
    }

    private boolean isOfThisBoot(NetworkRecord network) {
        return network.boot().equals(boot.value());
    }

    private NetworkRecord record(String allocId, GroupNetwork wanted, List<AllocatedPort> ports)
            throws KernelTrouble {
        List<NetworkRecord.Call> calls =
                wanted.mode().equals(GroupNetwork.NONE)
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
                false);
    }

    private Joined make(NetworkRecord begun) throws Trouble, InterruptedException {
        NetworkRecord network = begun;
        namespaces.make(network.allocId());
        for (NetworkRecord.Call call : network.calls()) {
            plugins.require(call);
            network = network.asking();
            store.put(network);
            network = network.answered(plugins.add(network, call));
        }
        store.put(network.ready());
        return joined(network);
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
            disconnect(known.get());
        }
        namespaces.remove(allocId);
        if (known.isPresent()) {
            store.remove(allocId);
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
