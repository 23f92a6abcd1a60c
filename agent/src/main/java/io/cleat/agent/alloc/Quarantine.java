package io.cleat.agent.alloc;

import io.cleat.base.Ordered;
import io.cleat.base.Refused;
import io.cleat.wire.ToNode;
import io.cleat.wire.ToServer;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The stored allocations that this agent does not take over: those at which it ended twice in a row, and those that it
 * cannot read. What comes in is decided at the start, and stays until the agent ends.
 *
 * <p>Any thread.
 */
final class Quarantine {
    private static final Logger LOG = LoggerFactory.getLogger(Quarantine.class);

    /** By the name under which each is written down, which one that cannot be read has too. */
    private final Map<String, QuarantinedAllocation> all = new ConcurrentSkipListMap<>();

    private final Consumer<String> changed;

    /** @param changed told the id of one of which something else is to be said */
    Quarantine(Consumer<String> changed) {
        this.changed = changed;
    }

    /** Takes one in, and says so. */
    void put(String name, QuarantinedAllocation allocation) {
        all.put(name, allocation);
        LOG.warn("allocation {} is {}", name, allocation.description());
        changed.accept(name);
    }

    Optional<QuarantinedAllocation> find(String allocId) {
        return Optional.ofNullable(all.get(AllocationStore.name(allocId)));
    }

    Collection<String> ids() {
        return List.copyOf(all.keySet());
    }

    Optional<ToServer.AllocReport> report(String allocId) {
        return find(allocId).map(QuarantinedAllocation::report);
    }

    /**
     * Takes what the server wants of one, and does nothing for it.
     *
     * @return false if it is not here
     */
    boolean assigned(ToNode.Assignment assignment) {
        Optional<QuarantinedAllocation> found = find(assignment.allocId());
        found.filter(one -> one.assigned(assignment)).ifPresent(one -> waits(assignment.allocId(), one));
        return found.isPresent();
    }

    /** The server wants no more of any but these. */
    void wanted(Set<String> allocIds) {
        Set<String> names =
                Ordered.copyOf(allocIds.stream().map(AllocationStore::name).toList());
        all.forEach((name, one) -> {
            if (!names.contains(name)) {
                unwanted(name, one);
            }
        });
    }

    /** The server wants no more of this one, if it is here. */
    void unwanted(String allocId) {
        find(allocId).ifPresent(one -> unwanted(AllocationStore.name(allocId), one));
    }

    private void unwanted(String name, QuarantinedAllocation one) {
        if (one.unwanted()) {
            waits(name, one);
        }
    }

    /** @throws Refused if the allocation is here: nothing may be asked of it */
    void requireNotHere(String allocId) throws Refused {
        Optional<QuarantinedAllocation> found = find(allocId);
        if (found.isPresent()) {
            throw found.get().refused();
        }
    }

    private void waits(String allocId, QuarantinedAllocation one) {
        LOG.warn("allocation {} is {}", allocId, one.description());
        changed.accept(allocId);
    }
}
