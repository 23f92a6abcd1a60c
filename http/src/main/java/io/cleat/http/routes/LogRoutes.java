package io.cleat.http.routes;

import io.cleat.base.Refused;
import io.cleat.base.Trouble;
import io.cleat.http.AgentLocator;
import io.cleat.http.LogQuery;
import io.cleat.http.NodeApi;
import io.cleat.http.PieceReader;
import io.cleat.http.QueryParams;
import io.cleat.http.Reply;
import io.cleat.http.Request;
import io.cleat.http.Route;
import java.util.List;

/** The output of tasks. */
final class LogRoutes {
    private final NodeApi node;

    private LogRoutes(NodeApi node) {
        this.node = node;
    }

    static List<Route> of(NodeApi node, AgentLocator locator) {
        return List.of(
                Route.get("/v1/client/fs/logs/:id", new AllocationRelay(node, locator).to(new LogRoutes(node)::logs)));
    }

    private Reply logs(Request request) throws Refused, Trouble, InterruptedException {
        boolean isPlain = QueryParams.flag(request, "plain");
        // Opened before the headers are sent, so that an unknown task can still be a 404.
        PieceReader reader = node.logs(query(request));
        return isPlain ? Pieces.plain(reader) : Pieces.framed(reader);
    }

    private static LogQuery query(Request request) throws Refused {
        String task = request.text("task");
        if (task.isEmpty()) {
            throw QueryParams.malformed("must provide task name");
        }
        LogQuery.Stream stream = switch (request.text("type")) {
            case "stdout" -> LogQuery.Stream.STDOUT;
            case "stderr" -> LogQuery.Stream.STDERR;
            default -> throw QueryParams.malformed("must provide log type (stdout/stderr)");
        };
        return new LogQuery(
                request.variable("id"),
                task,
                stream,
                Pieces.offset(request),
                Pieces.fromEnd(request),
                QueryParams.flag(request, "follow"));
    }
}
