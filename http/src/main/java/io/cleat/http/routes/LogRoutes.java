package io.cleat.http.routes;

import io.cleat.api.Json;
import io.cleat.api.LogFrame;
import io.cleat.base.Refused;
import io.cleat.base.Trouble;
import io.cleat.http.LogQuery;
import io.cleat.http.LogReader;
import io.cleat.http.NodeApi;
import io.cleat.http.QueryParams;
import io.cleat.http.Reply;
import io.cleat.http.Request;
import io.cleat.http.Route;
import io.cleat.http.Whereabouts;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;

/** The output of tasks (facts 2.6). */
final class LogRoutes {
    /** After so long without output a frame says that the sender is alive. */
    private static final Duration HEARTBEAT = Duration.ofSeconds(1);

    private final NodeApi node;

    private LogRoutes(NodeApi node) {
        this.node = node;
    }

    static List<Route> of(NodeApi node, Whereabouts whereabouts) {
        return List.of(
                Route.get(
                        "/v1/client/fs/logs/:id",
                        whereabouts.orWithAllocation(new LogRoutes(node)::logs)));
    }

    private Reply logs(Request request) throws Refused, Trouble, InterruptedException {
        boolean isPlain = QueryParams.flag(request, "plain");
        // Opened before the headers are sent, so that an unknown task can still be a 404.
        LogReader reader = node.logs(query(request));
        return isPlain
                ? Reply.stream("text/plain", out -> copy(reader, out))
                : Reply.stream("application/json", out -> frames(reader, out));
    }

    private static LogQuery query(Request request) throws Refused {
        String task = request.text("task");
        if (task.isEmpty()) {
            throw QueryParams.malformed("must provide task name");
        }
        LogQuery.Stream stream =
                switch (request.text("type")) {
                    case "stdout" -> LogQuery.Stream.STDOUT;
                    case "stderr" -> LogQuery.Stream.STDERR;
                    default -> throw QueryParams.malformed("must provide log type (stdout/stderr)");
                };
        boolean fromEnd =
                switch (request.text("origin")) {
                    case "", "start" -> false;
                    case "end" -> true;
                    default -> throw QueryParams.malformed("origin must be start or end");
                };
        return new LogQuery(
                request.variable("id"),
                task,
                stream,
                offset(request),
                fromEnd,
                QueryParams.flag(request, "follow"));
    }

    private static long offset(Request request) throws Refused {
        String text = request.text("offset");
        try {
            long offset = text.isEmpty() ? 0 : Long.parseLong(text);
            if (offset >= 0) {
                return offset;
            }
        } catch (NumberFormatException notANumber) {
            throw QueryParams.malformed("error parsing offset: \"" + text + "\" is not a number");
        }
        throw QueryParams.malformed("offset cannot be negative");
    }

    private static void copy(LogReader reader, OutputStream out)
            throws IOException, Refused, Trouble, InterruptedException {
        try (reader) {
            LogReader.Step step = reader.next(HEARTBEAT);
            while (!(step instanceof LogReader.End)) {
                if (step instanceof LogReader.Piece piece) {
                    out.write(piece.bytes());
                    out.flush();
                }
                step = reader.next(HEARTBEAT);
            }
        }
    }

    private static void frames(LogReader reader, OutputStream out)
            throws IOException, Refused, Trouble, InterruptedException {
        try (reader) {
            LogReader.Step step = reader.next(HEARTBEAT);
            while (!(step instanceof LogReader.End)) {
                LogFrame frame =
                        step instanceof LogReader.Piece piece
                                ? LogFrame.of(piece.bytes(), piece.file(), piece.offset())
                                : LogFrame.HEARTBEAT;
                out.write(Json.write(frame));
                out.flush();
                step = reader.next(HEARTBEAT);
            }
        }
    }
}
