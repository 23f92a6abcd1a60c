package io.cleat.http;

import static java.util.stream.Collectors.toUnmodifiableMap;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds the route of a request: the first whose path is the request's and that has its method. It looks only at those
 * that have the second part of the request's path, such as "volume" in /v1/volume/csi/:id.
 */
final class RouteTable {
    private final List<Entry> entries;

    /** In the order of all. */
    private final Map<String, List<Entry>> bySecondPart;

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

    /**
     * There is no such path.
     *
     * @param lacks the name of what is empty in it where it would be known else; empty for none
     */
    record UnknownPath(String lacks) implements Finding {}

    /** In the place of what is empty. */
    private static final String GIVEN = "\0";

    private record Entry(Route route, PathPattern pattern) {}

    RouteTable(List<Route> routes) {
        entries = routes.stream()
                .map(route -> new Entry(route, PathPattern.of(route.pattern())))
                .toList();
        bySecondPart = entries.stream()
                .map(entry -> entry.pattern().secondPart())
                .distinct()
                .collect(toUnmodifiableMap(part -> part, this::withSecondPart));
    }

    private List<Entry> withSecondPart(String part) {
        return entries.stream()
                .filter(entry -> entry.pattern().secondPart().isEmpty()
                        || entry.pattern().secondPart().equals(part))
                .toList();
    }

    private List<Entry> candidates(List<String> segments) {
        return segments.size() < 2 ? entries : bySecondPart.getOrDefault(segments.get(1), entries);
    }

    Finding find(Request request) {
        boolean isKnownPath = false;
        for (Entry entry : candidates(request.segments())) {
            Optional<Map<String, String>> variables = entry.pattern().match(request.segments());
            if (variables.isPresent()) {
                if (entry.route().accepts(request.method())) {
                    return new Hit(entry.route(), variables.get());
                }
                isKnownPath = true;
            }
        }
        return isKnownPath ? new OtherMethod() : new UnknownPath(lacks(request));
    }

    /** Clients put an id in a path though they have none. */
    private String lacks(Request request) {
        int empty = request.segments().lastIndexOf("");
        if (empty < 0) {
            return "";
        }
        List<String> filled = new ArrayList<>(request.segments());
        filled.set(empty, GIVEN);
        return entries.stream()
                .filter(entry -> entry.route().accepts(request.method()))
                .flatMap(entry -> entry.pattern().match(filled).stream())
                .flatMap(variables -> variables.entrySet().stream())
                .filter(variable -> variable.getValue().equals(GIVEN))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse("");
    }
}
