package io.cleat.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.cleat.base.Refused;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which of the routes that fit a request is its own, however they are looked for. */
final class RouteTableTest {
    private static final Route NAMED = route("/v1/:kind/list");
    private static final Route JOBS = route("/v1/jobs/list");
    private static final Route REST = route("/files/*path");
    private static final Route TOP = route("/about");
    private static final Route ANY = route("/*all");

    private static Route route(String pattern) {
        return Route.get(pattern, request -> Reply.text(200, pattern));
    }

    private static RouteTable.Finding find(List<Route> routes, String method, String target) throws Refused {
        return new RouteTable(routes).find(Request.of(method, target, Map.of(), new byte[0], Request.UNIX));
    }

    private static void isFound(Route expected, List<Route> routes, String target) throws Refused {
        RouteTable.Hit hit = assertInstanceOf(RouteTable.Hit.class, find(routes, "GET", target), target);
        assertEquals(expected.pattern(), hit.route().pattern(), target);
    }

    @Test
    void ofThoseThatFit_itIsTheFirst_alsoWhereOneHasANameInItsSecondPart() throws Refused {
        isFound(NAMED, List.of(NAMED, JOBS), "/v1/jobs/list");
        isFound(JOBS, List.of(JOBS, NAMED), "/v1/jobs/list");
        isFound(NAMED, List.of(JOBS, NAMED), "/v1/nodes/list");
    }

    @Test
    void whatStandsForMoreThanOnePart_isFoundByEachSecondPart() throws Refused {
        List<Route> routes = List.of(JOBS, TOP, REST, ANY);
        isFound(REST, routes, "/files/jobs/list");
        isFound(REST, routes, "/files/a");
        isFound(TOP, routes, "/about");
        isFound(ANY, routes, "/v1/jobs");
        isFound(ANY, routes, "/v1/none/list");
        isFound(ANY, routes, "/none");
    }

    @Test
    void aPathThatIsNotThere_isToldFromAnotherMethod_andFromAnEmptyName() throws Refused {
        List<Route> routes = List.of(JOBS, route("/v1/job/:id"));
        assertInstanceOf(RouteTable.OtherMethod.class, find(routes, "DELETE", "/v1/jobs/list"));
        assertEquals(new RouteTable.UnknownPath(""), find(routes, "GET", "/v1/none/list"));
        assertEquals(new RouteTable.UnknownPath("id"), find(routes, "GET", "/v1/job/"));
    }
}
