package io.cleat.clusterapi.plugins;

import io.cleat.base.Refused;
import io.cleat.base.Trouble;
import io.cleat.http.QueryParams;
import io.cleat.http.Replies;
import io.cleat.http.Reply;
import io.cleat.http.Request;
import io.cleat.http.Route;
import java.util.List;

/** Storage plugins. */
public final class PluginRoutes {
    private final PluginAnswers plugins;

    private PluginRoutes(PluginAnswers plugins) {
        this.plugins = plugins;
    }

    public static List<Route> of(PluginAnswers plugins) {
        PluginRoutes routes = new PluginRoutes(plugins);
        return List.of(
                Route.get("/v1/plugins", routes::list),
                Route.get("/v1/plugin/csi/:id", routes::get),
                Route.get("/v1/plugin/csi/:id/lanes", routes::lanes));
    }

    private Reply list(Request request) throws Refused, Trouble, InterruptedException {
        return switch (request.text("type")) {
            case "" -> Reply.json(List.of());
            case "csi" -> Replies.query(plugins.list(QueryParams.list(request)));
            default -> Reply.empty();
        };
    }

    private Reply get(Request request) throws Refused, Trouble, InterruptedException {
        return Replies.found(plugins.get(QueryParams.read(request), request.variable("id")), "plugin not found");
    }

    private Reply lanes(Request request) throws Refused, Trouble, InterruptedException {
        return Replies.found(plugins.lanes(QueryParams.read(request), request.variable("id")), "plugin not found");
    }
}
