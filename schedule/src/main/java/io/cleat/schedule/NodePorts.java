package io.cleat.schedule;

import io.cleat.model.AllocatedPort;
import io.cleat.model.GroupNetwork;
import io.cleat.model.NodeAddress;
import io.cleat.model.NodeFacts;
import io.cleat.model.PortRange;
import io.cleat.model.PortRequest;
import io.cleat.state.AllocationRow;
import io.cleat.state.NodeRow;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The ports of one node: who has them, and which of them a further allocation is given. Static ports are those that are
 * asked for, or there is none; of the others each gets the first free one of the node's range, counted from a place
 * that its seed decides, so that a port that has just been given back is not given at once to somebody else, and
 * everybody finds the same one.
 *
 * <p>Used by one thread.
 */
public final class NodePorts {
    private final NodeFacts facts;
    private final Map<Place, Holder> taken = new HashMap<>();

    private record Place(String address, int port) {}

    /** Who has a port; the one in words. */
    private record Holder(String who, boolean ignoresCollision) {}

    /** What became of a wish for ports. */
    public sealed interface Answer {
        /** All of them, in the order of the wish. */
        record Given(List<AllocatedPort> ports) implements Answer {
            public Given {
                ports = List.copyOf(ports);
            }
        }

        /**
         * One of them cannot be given.
         *
         * @param dimension what the node has not enough of, in the words that tools know
         * @param holder the port and who has it, as one that is waited for
         */
        record Refused(String dimension, String holder) implements Answer {}
    }

    public NodePorts(NodeRow node) {
        this.facts = node.facts();
    }

    /** An allocation that has ports here. */
    public void take(AllocationRow allocation) {
        take(allocation.name(), allocation.id(), allocation.placed().ports());
    }

    /** Likewise of one that is to come. */
    void take(String name, String id, List<AllocatedPort> ports) {
        for (AllocatedPort port : ports) {
            take(port, "taken by " + name + " (allocation " + id + ")");
        }
    }

    /** Of several that have it, as an update and what it replaces, one that minds counts. */
    private void take(AllocatedPort port, String who) {
        taken.merge(
                new Place(port.hostIp(), port.value()),
                new Holder(who, port.ignoreCollision()),
                (first, next) -> first.ignoresCollision() ? next : first);
    }

    /**
     * What an allocation with these wishes is given, which is taken then; also the part of a refused wish that could
     * have been met, so whoever looks again begins anew.
     *
     * @param seed decides, with the label, from where a free port is looked for
     */
    public Answer give(GroupNetwork wanted, String seed) {
        List<AllocatedPort> given = new ArrayList<>();
        // Those that can be only one port come before those that can be any.
        for (boolean isStatic : List.of(true, false)) {
            for (PortRequest request : wanted.ports()) {
                if (request.isStatic() != isStatic) {
                    continue;
                }
                Optional<AllocatedPort> port = isStatic ? fixed(request) : any(request, seed);
                if (port.isEmpty()) {
                    return refusal(request);
                }
                take(port.get(), "asked for twice by the same group");
                given.add(port.get());
            }
        }
        return new Answer.Given(given);
    }

    private List<NodeAddress> addresses(PortRequest request) {
        return facts.network().addressesOf(request.hostNetwork());
    }

    private Optional<AllocatedPort> fixed(PortRequest request) {
        return addresses(request).stream()
                .filter(address -> isFree(address, request.value(), request.ignoreCollision()))
                .findFirst()
                .map(address -> given(request, address, request.value()));
    }

    private Optional<AllocatedPort> any(PortRequest request, String seed) {
        int first = Math.max(1, facts.network().minDynamicPort());
        int last = Math.min(PortRange.MAX_PORT, facts.network().maxDynamicPort());
        int size = last - first + 1;
        for (NodeAddress address : addresses(request)) {
            for (int i = 0; i < size; i++) {
                int port = first + (int) ((start(seed, request.label()) + i) % size);
                if (isFree(address, port, false)) {
                    return Optional.of(given(request, address, port));
                }
            }
        }
        return Optional.empty();
    }

    /** FNV-1a, so that ids which differ little start far from each other. */
    private static long start(String seed, String label) {
        int hash = 0x811c9dc5;
        for (char letter : (seed + "/" + label).toCharArray()) {
            hash = (hash ^ letter) * 0x01000193;
        }
        return Integer.toUnsignedLong(hash);
    }

    private static AllocatedPort given(PortRequest request, NodeAddress address, int port) {
        return new AllocatedPort(
                request.label(),
                port,
                request.to() < 0 ? port : request.to(),
                address.address(),
                request.ignoreCollision());
    }

    private boolean isFree(NodeAddress address, int port, boolean ignoreCollision) {
        Holder holder = taken.get(new Place(address.address(), port));
        boolean isTaken = holder != null && !(ignoreCollision && holder.ignoresCollision());
        return !isTaken && !isKept(address, port);
    }

    private boolean isKept(NodeAddress address, int port) {
        return facts.network().reservedPorts().stream().anyMatch(range -> range.has(port))
                || address.reservedPorts().stream().anyMatch(range -> range.has(port));
    }

    private Answer.Refused refusal(PortRequest request) {
        List<NodeAddress> addresses = addresses(request);
        if (addresses.isEmpty()) {
            return new Answer.Refused(
                    "network: no addresses available for \"" + request.hostNetwork() + "\" network",
                    "an address of the network \""
                            + request.hostNetwork()
                            + "\", of which node "
                            + facts.name()
                            + " has none");
        }
        NodeAddress address = addresses.getFirst();
        if (!request.isStatic()) {
            return new Answer.Refused(
                    "network: dynamic port selection failed",
                    "a free port of "
                            + address.address()
                            + ": all from "
                            + facts.network().minDynamicPort()
                            + " to "
                            + facts.network().maxDynamicPort()
                            + " are taken on node "
                            + facts.name());
        }
        Holder holder = taken.get(new Place(address.address(), request.value()));
        return new Answer.Refused(
                "network: reserved port collision " + request.label() + "=" + request.value(),
                "port "
                        + request.value()
                        + " of "
                        + address.address()
                        + ", which is "
                        + (holder == null ? "kept by the operator" : holder.who())
                        + " on node "
                        + facts.name());
    }
}
