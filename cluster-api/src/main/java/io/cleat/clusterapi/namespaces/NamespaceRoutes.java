package io.cleat.clusterapi.namespaces;

import io.cleat.api.Namespace;
import io.cleat.base.Refused;
import io.cleat.base.TextRule;
import io.cleat.base.Trouble;
import io.cleat.http.Bodies;
import io.cleat.http.QueryParams;
import io.cleat.http.Replies;
import io.cleat.http.Reply;
import io.cleat.http.Request;
import io.cleat.http.Route;
import java.util.List;

/** Namespaces. */
public final class NamespaceRoutes {
    private final NamespaceAnswers namespaces;

    private NamespaceRoutes(NamespaceAnswers namespaces) {
        this.namespaces = namespaces;
    }

    public static List<Route> of(NamespaceAnswers namespaces) {
        NamespaceRoutes routes = new NamespaceRoutes(namespaces);
        return List.of(
                Route.get("/v1/namespaces", routes::list),
                Route.put("/v1/namespace", routes::apply),
                Route.get("/v1/namespace/:name", routes::get),
                Route.put("/v1/namespace/:name", routes::applyNamed),
                Route.delete("/v1/namespace/:name", routes::delete));
    }

    private Reply list(Request request) throws Refused, Trouble, InterruptedException {
        return Replies.query(namespaces.list(QueryParams.list(request)));
    }

    private Reply get(Request request) throws Refused, Trouble, InterruptedException {
        return Replies.found(
                namespaces.get(QueryParams.read(request), request.variable("name")), "namespace not found");
    }

    private Reply apply(Request request) throws Refused, Trouble, InterruptedException {
        return apply(request, Bodies.read(request, Namespace.class));
    }

    private Reply applyNamed(Request request) throws Refused, Trouble, InterruptedException {
        Namespace wanted = Bodies.read(request, Namespace.class);
        if (!wanted.Name().equals(request.variable("name"))) {
            throw QueryParams.malformed("namespace name does not match: the path has "
                    + TextRule.quoted(request.variable("name"))
                    + ", the body "
                    + TextRule.quoted(wanted.Name()));
        }
        return apply(request, wanted);
    }

    private Reply apply(Request request, Namespace wanted) throws Refused, Trouble, InterruptedException {
        namespaces.apply(QueryParams.write(request), wanted);
        return Reply.empty();
    }

    private Reply delete(Request request) throws Refused, Trouble, InterruptedException {
        namespaces.delete(QueryParams.write(request), request.variable("name"));
        return Reply.empty();
    }
}
