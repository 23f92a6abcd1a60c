package io.cleat.http.routes;

import io.cleat.http.AgentLocator;
import io.cleat.http.NodeApi;
import io.cleat.http.Route;

/**
 * The way to what is asked of one allocation, {@code :id} of the route: to the agent that it is with, and there only
 * for who names its namespace, or none.
 */
record AllocationRelay(NodeApi node, AgentLocator locator) {
    Route.Handler to(Route.Handler here) {
        return locator.orWithAllocation(request -> {
            node.requireNamespace(request.variable("id"), request.text("namespace"));
            return here.handle(request);
        });
    }
}
