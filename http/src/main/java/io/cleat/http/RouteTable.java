package io.cleat.http;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Finds the route of a request: the first whose path is the request's and that has its method. */
final class RouteTable {
    private final List<Entry> entries;

    /** What was found. */
    sealed interface Finding {}

    /**
     * A route.
     *
     * @param variables what stands where the pattern has names
     */
    record Hit(Route route, Map<String, String> variables) implements Finding {}

    /** The path is known, the method is not one of its. */
    record OtherMethod() implements Finding {}

    /** There is no such path. */
    record UnknownPath() implements Finding {}

    private record Entry(Route route, PathPattern pattern) {}

    RouteTable(List<Route> routes) {
        entries =
                routes.stream()
                        .map(route -> new Entry(route, PathPattern.of(route.pattern())))
                        .toList();
    }

    Finding find(Request request) {
        boolean isKnownPath = false;
        for (Entry entry : entries) {
            Optional<Map<String, String>> variables = entry.pattern().match(request.segments());
            if (variables.isPresent()) {
                if (entry.route().accepts(request.method())) {
                    return new Hit(entry.route(), variables.get());
                }
                isKnownPath = true;
            }
        }
        return isKnownPath ? new OtherMethod() : new UnknownPath();
    }
}
