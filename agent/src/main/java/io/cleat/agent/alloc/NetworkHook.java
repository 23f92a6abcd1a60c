package io.cleat.agent.alloc;

import io.cleat.agent.network.AllocationNetworks;
import io.cleat.agent.task.EarlierRuns;
import io.cleat.base.BackOff;
import io.cleat.base.Effect;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Retry;
import io.cleat.base.Trouble;
import io.cleat.model.GroupNetwork;
import io.cleat.model.NetworkDns;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives an allocation the network that its group asks for before its first task, and takes it away
 * after the last.
 */
final class NetworkHook {
    private static final Logger LOG = LoggerFactory.getLogger(NetworkHook.class);
    private static final BackOff AGAIN =
            new BackOff(Duration.ofMillis(200), Duration.ofSeconds(30));

    private final AllocationParts parts;

    NetworkHook(AllocationParts parts) {
        this.parts = parts;
    }

    /**
     * @param mayRun whether tasks of the allocation may run
     * @return where it is in its network, and how names are resolved there
     * @throws Trouble saying why it cannot have its network
     */
    AllocationNetworks.Joined join(KnownAllocation allocation, boolean mayRun)
            throws Trouble, InterruptedException {
        GroupNetwork wanted = allocation.taskGroup().network();
        if (wanted == null || wanted.isHost()) {
            return new AllocationNetworks.Joined(null, dns(wanted, NetworkDns.OF_NODE));
        }
        Optional<AllocationNetworks> networks = parts.networks();
        if (networks.isEmpty()) {
            throw new KernelTrouble(
                    "this agent makes no network of mode \"" + wanted.mode() + "\"",
                    Effect.NONE,
                    Retry.NEVER);
        }
        AllocationNetworks.Joined joined =
                networks.get().ensure(allocation.allocId(), wanted, allocation.ports(), mayRun);
        return new AllocationNetworks.Joined(joined.address(), dns(wanted, joined.dns()));
    }

    private static NetworkDns dns(@Nullable GroupNetwork wanted, NetworkDns otherwise) {
        return wanted == null || wanted.dns() == null ? otherwise : wanted.dns();
    }

    /**
     * Returns once nothing of it is left: others are given its addresses and ports after.
     *
     * @param stays hears why it cannot be removed yet, each reason once
     */
    void leave(String allocId, Consumer<String> stays) throws InterruptedException {
        if (parts.networks().isEmpty()) {
            return;
        }
        String told = "";
        for (int failures = 0; ; failures++) {
            try {
                parts.networks().get().remove(allocId);
                return;
            } catch (Trouble trouble) {
                LOG.warn(
                        "the network of allocation {} cannot be removed yet: {}",
                        allocId,
                        trouble.reason());
                if (!told.equals(trouble.reason())) {
                    told = trouble.reason();
                    stays.accept(told);
                }
                parts.tasks().time().sleep(AGAIN.wait(failures, parts.tasks().chance()));
            }
        }
    }

    /** Begins to remove those of allocations that nobody knows, each once nothing of it runs. */
    void leaveStrays(Predicate<String> isKnown) {
        for (String allocId : held()) {
            if (isKnown.test(allocId)) {
                continue;
            }
            LOG.warn("allocation {} is known to nobody: its network is removed", allocId);
            parts.tasks()
                    .threads()
                    .contained(
                            "stray-network/" + allocId,
                            () -> {
                                new EarlierRuns(parts.tasks()).endAll(allocId);
                                leave(allocId, why -> {});
                            },
                            fault -> LOG.error("the network of {} stays", allocId, fault));
        }
    }

    private Set<String> held() {
        try {
            return parts.networks().isEmpty() ? Set.of() : parts.networks().get().held();
        } catch (Trouble unreadable) {
            LOG.error("networks that nobody knows may stay: {}", unreadable.reason());
            return Set.of();
        }
    }
}
