package io.cleat.clusterapi.search;

import io.cleat.api.FuzzySearchRequest;
import io.cleat.api.SearchRequest;
import io.cleat.base.Refused;
import io.cleat.base.Trouble;
import io.cleat.http.Bodies;
import io.cleat.http.QueryParams;
import io.cleat.http.Replies;
import io.cleat.http.Reply;
import io.cleat.http.Request;
import io.cleat.http.Route;
import java.util.List;

/** Searches. */
public final class SearchRoutes {
    private final SearchAnswers search;

    private SearchRoutes(SearchAnswers search) {
        this.search = search;
    }

    public static List<Route> of(SearchAnswers search) {
        SearchRoutes routes = new SearchRoutes(search);
        return List.of(Route.put("/v1/search", routes::find), Route.put("/v1/search/fuzzy", routes::findFuzzily));
    }

    private Reply find(Request request) throws Refused, Trouble, InterruptedException {
        return Replies.query(search.find(QueryParams.read(request), Bodies.read(request, SearchRequest.class)));
    }

    private Reply findFuzzily(Request request) throws Refused, Trouble, InterruptedException {
        return Replies.query(
                search.findFuzzily(QueryParams.read(request), Bodies.read(request, FuzzySearchRequest.class)));
    }
}
