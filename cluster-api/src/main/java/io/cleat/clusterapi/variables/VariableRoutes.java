package io.cleat.clusterapi.variables;

import io.cleat.api.Answer;
import io.cleat.api.AnswerMeta;
import io.cleat.api.Variable;
import io.cleat.api.VariableDeleted;
import io.cleat.base.Refused;
import io.cleat.base.Trouble;
import io.cleat.base.VisibleText;
import io.cleat.http.Bodies;
import io.cleat.http.QueryParams;
import io.cleat.http.Replies;
import io.cleat.http.Reply;
import io.cleat.http.Request;
import io.cleat.http.Route;
import io.cleat.http.WriteQuery;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** Variables. */
public final class VariableRoutes {
    private static final int CONFLICT = 409;

    private final VariableAnswers variables;

    private VariableRoutes(VariableAnswers variables) {
        this.variables = variables;
    }

    public static List<Route> of(VariableAnswers variables) {
        VariableRoutes routes = new VariableRoutes(variables);
        return List.of(
                Route.get("/v1/vars", routes::list),
                Route.get("/v1/var/*path", routes::get),
                Route.put("/v1/var/*path", routes::put),
                Route.delete("/v1/var/*path", routes::delete));
    }

    private Reply list(Request request) throws Refused, Trouble, InterruptedException {
        return Replies.query(variables.list(QueryParams.list(request)));
    }

    private Reply get(Request request) throws Refused, Trouble, InterruptedException {
        return Replies.found(variables.get(QueryParams.read(request), request.variable("path")), "variable not found");
    }

    private Reply put(Request request) throws Refused, Trouble, InterruptedException {
        Variable body = Bodies.read(request, Variable.class);
        WriteQuery query = namespaced(request, body.Namespace());
        String path = request.variable("path");
        List<String> calls = Stream.of("lock-acquire", "lock-renew", "lock-release")
                .filter(name -> request.query(name, true).isPresent())
                .toList();
        if (calls.size() > 1) {
            throw QueryParams.malformed("give one of lock-acquire, lock-renew and lock-release, not several");
        }
        OptionalLong cas = cas(request);
        if (cas.isPresent() && !calls.isEmpty()) {
            throw QueryParams.malformed("cas and " + calls.getFirst() + " exclude each other");
        }
        return written(
                switch (calls.isEmpty() ? "" : calls.getFirst()) {
                    case "lock-acquire" -> variables.lock(query, path, body);
                    case "lock-renew" -> variables.renew(query, path, body);
                    case "lock-release" -> variables.release(query, path, body);
                    default -> variables.put(query, path, body, cas);
                });
    }

    private Reply delete(Request request) throws Refused, Trouble, InterruptedException {
        VariableAnswers.Written deleted =
                variables.delete(namespaced(request, ""), request.variable("path"), cas(request));
        if (deleted.conflicts()) {
            return written(deleted);
        }
        return Replies.written(
                new Answer<>(new VariableDeleted(deleted.index()), AnswerMeta.ofLeader(deleted.index())));
    }

    private static Reply written(VariableAnswers.Written written) {
        Reply reply = Replies.written(new Answer<>(written.variable(), AnswerMeta.ofLeader(written.index())));
        return written.conflicts() ? new Reply(CONFLICT, reply.headers(), reply.body()) : reply;
    }

    /** The namespace that the request names wins over the body's. */
    private static WriteQuery namespaced(Request request, String ofBody) throws Refused {
        WriteQuery query = QueryParams.write(request);
        return request.text("namespace").isEmpty() && !ofBody.isEmpty()
                ? new WriteQuery(ofBody, query.requestId())
                : query;
    }

    private static OptionalLong cas(Request request) throws Refused {
        String text = request.text("cas");
        if (text.isEmpty()) {
            return OptionalLong.empty();
        }
        try {
            long index = Long.parseLong(text);
            if (index >= 0) {
                return OptionalLong.of(index);
            }
        } catch (NumberFormatException notOne) {
            // Said below.
        }
        throw QueryParams.malformed("cas is the index of a variable, or 0 if it must not be there; got \""
                + VisibleText.cut(text, 64)
                + "\"");
    }
}
