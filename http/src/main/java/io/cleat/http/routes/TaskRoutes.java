package io.cleat.http.routes;

import io.cleat.api.AllocRestartRequest;
import io.cleat.api.AllocSignalRequest;
import io.cleat.base.Refused;
import io.cleat.base.Trouble;
import io.cleat.http.AgentLocator;
import io.cleat.http.Bodies;
import io.cleat.http.NodeApi;
import io.cleat.http.QueryParams;
import io.cleat.http.Reply;
import io.cleat.http.Request;
import io.cleat.http.Route;
import java.util.List;
import java.util.Map;

/** What can be done to tasks while they run. */
final class TaskRoutes {
    private final NodeApi node;

    private TaskRoutes(NodeApi node) {
        this.node = node;
    }

    static List<Route> of(NodeApi node, AgentLocator locator) {
        TaskRoutes routes = new TaskRoutes(node);
        AllocationRelay relay = new AllocationRelay(node, locator);
        return List.of(
                Route.put("/v1/client/allocation/:id/signal", relay.to(routes::signal))
                        .withMissingAs404(),
                Route.put("/v1/client/allocation/:id/restart", relay.to(routes::restart))
                        .withMissingAs404());
    }

    private Reply signal(Request request) throws Refused, Trouble, InterruptedException {
        AllocSignalRequest asked = Bodies.read(request, AllocSignalRequest.class);
        node.signal(request.variable("id"), asked.Task(), asked.Signal());
        return Reply.json(Map.of());
    }

    private Reply restart(Request request) throws Refused, Trouble, InterruptedException {
        AllocRestartRequest asked =
                Bodies.readOr(request, AllocRestartRequest.class, new AllocRestartRequest(false, ""));
        if (asked.AllTasks() && !asked.TaskName().isEmpty()) {
            throw QueryParams.malformed("name a task, or ask for all of them");
        }
        if (asked.AllTasks()) {
            node.restartAll(request.variable("id"));
        } else {
            node.restart(request.variable("id"), asked.TaskName());
        }
        return Reply.json(Map.of());
    }
}
