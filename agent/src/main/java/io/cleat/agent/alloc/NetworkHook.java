package io.cleat.agent.alloc;

import io.cleat.agent.network.AllocationNetworks;
import io.cleat.agent.network.JoinedNetwork;
import io.cleat.agent.task.EarlierRuns;
import io.cleat.agent.task.UntilDone;
import io.cleat.base.DriverTrouble;
import io.cleat.base.Effect;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Retry;
import io.cleat.base.Trouble;
import io.cleat.model.GroupNetwork;
import io.cleat.model.NetworkDns;
import io.cleat.model.Task;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives an allocation the network that its group asks for before its first task, and takes it away after the last. For
 * one thread, that of its allocation.
 */
final class NetworkHook {
    private static final Logger LOG = LoggerFactory.getLogger(NetworkHook.class);

    private final AllocationParts parts;
    private Optional<Thread> checking = Optional.empty();

    NetworkHook(AllocationParts parts) {
        this.parts = parts;
    }

    /**
     * @param mayRun whether tasks of the allocation may run
     * @return where it is in its network, and how names are resolved there
     * @throws Trouble saying why it cannot have its network
     */
    JoinedNetwork join(KnownAllocation allocation, boolean mayRun) throws Trouble, InterruptedException {
        GroupNetwork wanted = allocation.taskGroup().network();
        if (wanted == null || wanted.isHost()) {
            return JoinedNetwork.OF_NODE.with(dns(wanted, NetworkDns.OF_NODE));
        }
        Optional<AllocationNetworks> networks = parts.networks();
        if (networks.isEmpty()) {
            throw new KernelTrouble(
                    "this agent makes no network of mode \"" + wanted.mode() + "\"", Effect.NONE, Retry.NEVER);
        }
        JoinedNetwork joined =
                networks.get().ensure(allocation.allocId(), wanted, allocation.ports(), maker(allocation), mayRun);
        return joined.with(dns(wanted, joined.dns()));
    }

    /** The driver of its tasks that has to make their namespace itself; all others join it. */
    private Optional<String> maker(KnownAllocation allocation) throws DriverTrouble {
        Set<String> makers = new TreeSet<>();
        for (Task task : allocation.taskGroup().tasks()) {
            if (parts.tasks().makesNetworks(task.driver())) {
                makers.add(task.driver());
            }
        }
        if (makers.size() > 1) {
            throw new DriverTrouble(
                    "the drivers "
                            + String.join(" and ", makers)
                            + " would each make the network of the group themselves: put their tasks into groups of "
                            + "their own",
                    Effect.NONE,
                    Retry.NEVER);
        }
        return makers.stream().findFirst();
    }

    private static NetworkDns dns(@Nullable GroupNetwork wanted, NetworkDns otherwise) {
        return wanted == null || wanted.dns() == null ? otherwise : wanted.dns();
    }

    /**
     * Begins to ask whether what an earlier agent has connected is as it was. Tasks go on, whatever is found.
     *
     * @param faulty hears what is not as it was
     */
    void check(KnownAllocation allocation, Consumer<String> faulty) {
        GroupNetwork wanted = allocation.taskGroup().network();
        if (wanted == null || wanted.isHost()) {
            return;
        }
        String allocId = allocation.allocId();
        checking = parts.networks()
                .map(networks -> parts.tasks()
                        .threads()
                        .contained(
                                "network-check/" + allocId,
                                () -> check(networks, allocId, faulty),
                                fault -> LOG.error("the network of {} is not checked", allocId, fault)));
    }

    private static void check(AllocationNetworks networks, String allocId, Consumer<String> faulty)
            throws InterruptedException {
        try {
            Optional<String> found = networks.check(allocId);
            if (found.isPresent()) {
                LOG.warn("the network of allocation {} is not as it was: {}", allocId, found.get());
                faulty.accept(found.get());
            }
        } catch (Trouble unreadable) {
            LOG.warn("the network of {} is not checked: {}", allocId, unreadable.reason());
        }
    }

    /** Nothing is asked of a network that is being removed. */
    private void endCheck() throws InterruptedException {
        if (checking.isPresent()) {
            checking.get().interrupt();
            checking.get().join();
        }
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
        endCheck();
        String told = "";
        for (int failures = 0; ; failures++) {
            try {
                parts.networks().get().remove(allocId);
                return;
            } catch (Trouble trouble) {
                LOG.warn("the network of allocation {} cannot be removed yet: {}", allocId, trouble.reason());
                if (!told.equals(trouble.reason())) {
                    told = trouble.reason();
                    stays.accept(told);
                }
                UntilDone.pause(parts.tasks(), failures);
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
            return parts.networks().isEmpty()
                    ? Set.of()
                    : parts.networks().get().held();
        } catch (Trouble unreadable) {
            LOG.error("networks that nobody knows may stay: {}", unreadable.reason());
            return Set.of();
        }
    }
}
