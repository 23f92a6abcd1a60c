package io.cleat.http;

import io.cleat.api.ServerAddress;
import io.cleat.base.LinkTrouble;
import io.cleat.base.Refusal;
import io.cleat.base.Refused;
import io.cleat.base.Trouble;
import java.util.Optional;

/**
 * Which agent answers for a node, and for what runs on it. Empty is this one, which also answers for what nobody knows.
 * Any thread may call.
 */
public interface AgentLocator {
    /** Where there is no other agent. */
    AgentLocator HERE = new AgentLocator() {
        @Override
        public Optional<ServerAddress> ofNode(String nodeId) {
            return Optional.empty();
        }

        @Override
        public Optional<ServerAddress> ofAllocation(String allocId) {
            return Optional.empty();
        }
    };

    /** @param nodeId empty for the node of this process */
    Optional<ServerAddress> ofNode(String nodeId) throws Refused, Trouble, InterruptedException;

    Optional<ServerAddress> ofAllocation(String allocId) throws Refused, Trouble, InterruptedException;

    /** {@code here}, or what the agent says that the request's node runs in. */
    default Route.Handler orOnNode(Route.Handler here) {
        return orOnNode(request -> request.text("node_id"), here);
    }

    /** As {@link #orOnNode(Route.Handler)}, of a request that may name its node elsewhere. */
    default Route.Handler orOnNode(Naming node, Route.Handler here) {
        return or(request -> ofNode(node.of(request)), here);
    }

    /** {@code here}, or what the agent says that the route's allocation {@code :id} is with. */
    default Route.Handler orWithAllocation(Route.Handler here) {
        return or(request -> ofAllocation(request.variable("id")), here);
    }

    private static Route.Handler or(Finder finder, Route.Handler here) {
        return request -> {
            Optional<ServerAddress> there = Relay.isAtItsEnd(request) ? Optional.empty() : finder.find(request);
            if (there.isEmpty()) {
                return here.handle(request);
            }
            try {
                return Relay.pass(request, there.get());
            } catch (LinkTrouble unreachable) {
                throw new Refused(new Refusal.NotFound("No path to node: " + unreachable.reason()));
            }
        };
    }

    /** Which node a request is for; empty for this one. */
    @FunctionalInterface
    interface Naming {
        String of(Request request) throws Refused;
    }

    /** Which agent a request is for. */
    @FunctionalInterface
    interface Finder {
        Optional<ServerAddress> find(Request request) throws Refused, Trouble, InterruptedException;
    }
}
