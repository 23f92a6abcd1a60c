package io.cleat.http.routes;

import io.cleat.http.NodeApi;
import io.cleat.http.Route;
import io.cleat.http.Whereabouts;

/**
 * The way to what is asked of one allocation, {@code :id} of the route: to the agent that it is with, and there only
 * for who names its namespace, or none.
 */
record AllocationDoor(NodeApi node, Whereabouts whereabouts) {
    Route.Handler to(Route.Handler here) {
        return whereabouts.orWithAllocation(request -> {
            node.requireNamespace(request.variable("id"), request.text("namespace"));
            return here.handle(request);
        });
    }
}
