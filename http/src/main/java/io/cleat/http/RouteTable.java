package io.cleat.http;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

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

    private record Entry(Route route, List<String> parts) {}

    RouteTable(List<Route> routes) {
        entries = routes.stream().map(route -> new Entry(route, route.parts())).toList();
    }

    Finding find(Request request) {
        boolean isKnownPath = false;
        for (Entry entry : entries) {
            Map<String, String> variables = match(entry.parts(), request.segments());
            if (variables != null) {
                if (entry.route().accepts(request.method())) {
                    return new Hit(entry.route(), variables);
                }
                isKnownPath = true;
            }
        }
        return isKnownPath ? new OtherMethod() : new UnknownPath();
    }

    private static @Nullable Map<String, String> match(List<String> parts, List<String> segments) {
        if (parts.size() != segments.size()) {
            return null;
        }
        for (int i = 0; i < parts.size(); i++) {
            String segment = segments.get(i);
            if (isName(parts.get(i)) ? segment.isEmpty() : !parts.get(i).equals(segment)) {
                return null;
            }
        }
        Map<String, String> variables = new HashMap<>();
        for (int i = 0; i < parts.size(); i++) {
            if (isName(parts.get(i))) {
                variables.put(parts.get(i).substring(1), segments.get(i));
            }
        }
        return variables;
    }

    private static boolean isName(String part) {
        return part.startsWith(":");
    }
}
