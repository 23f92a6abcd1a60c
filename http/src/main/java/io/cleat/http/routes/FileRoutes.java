package io.cleat.http.routes;

import io.cleat.base.Refused;
import io.cleat.base.Trouble;
import io.cleat.http.AgentLocator;
import io.cleat.http.FileQuery;
import io.cleat.http.FilesApi;
import io.cleat.http.NodeApi;
import io.cleat.http.QueryParams;
import io.cleat.http.Reply;
import io.cleat.http.Request;
import io.cleat.http.Route;
import java.util.List;

/** The files of allocations. */
final class FileRoutes {
    private final FilesApi files;

    private FileRoutes(FilesApi files) {
        this.files = files;
    }

    static List<Route> of(NodeApi node, AgentLocator locator) {
        FileRoutes routes = new FileRoutes(node.files());
        AllocationRelay relay = new AllocationRelay(node, locator);
        return List.of(
                Route.get("/v1/client/fs/ls/:id", relay.to(routes::list)),
                Route.get("/v1/client/fs/stat/:id", relay.to(routes::stat)),
                Route.get("/v1/client/fs/cat/:id", relay.to(routes::cat)),
                Route.get("/v1/client/fs/readat/:id", relay.to(routes::readAt)),
                Route.get("/v1/client/fs/stream/:id", relay.to(routes::stream)));
    }

    private Reply list(Request request) throws Refused, Trouble, InterruptedException {
        String path = request.text("path");
        return Reply.json(files.list(request.variable("id"), path.isEmpty() ? "/" : path));
    }

    private Reply stat(Request request) throws Refused, Trouble, InterruptedException {
        return Reply.json(files.stat(request.variable("id"), path(request)));
    }

    private Reply cat(Request request) throws Refused, Trouble, InterruptedException {
        return Pieces.plain(files.read(query(request, 0, false, Long.MAX_VALUE, false)));
    }

    private Reply readAt(Request request) throws Refused, Trouble, InterruptedException {
        if (request.text("offset").isEmpty()) {
            throw QueryParams.malformed("must provide offset");
        }
        return Pieces.plain(files.read(query(request, Pieces.offset(request), false, limit(request), false)));
    }

    private Reply stream(Request request) throws Refused, Trouble, InterruptedException {
        return Pieces.framed(files.read(query(
                request,
                Pieces.offset(request),
                Pieces.fromEnd(request),
                Long.MAX_VALUE,
                QueryParams.flag(request, "follow", true))));
    }

    /** Clients say 0 or less for all that is left. */
    private static long limit(Request request) throws Refused {
        long limit = Pieces.anyNumber(request, "limit", 0);
        return limit <= 0 ? Long.MAX_VALUE : limit;
    }

    private static FileQuery query(Request request, long offset, boolean fromEnd, long most, boolean follow)
            throws Refused {
        return new FileQuery(request.variable("id"), path(request), offset, fromEnd, most, follow);
    }

    private static String path(Request request) throws Refused {
        String path = request.text("path");
        if (path.isEmpty()) {
            throw QueryParams.malformed("must provide a file path");
        }
        return path;
    }
}
