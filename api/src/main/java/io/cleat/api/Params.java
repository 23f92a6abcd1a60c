package io.cleat.api;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What a request says after the question mark. Immutable. */
public final class Params {
    private static final Params NONE = new Params(Map.of());

    private final Map<String, List<String>> values;

    private Params(Map<String, List<String>> values) {
        this.values = values;
    }

    /** None: the client's own namespace and region apply. */
    public static Params none() {
        return NONE;
    }

    /** These with one more; an empty value is left out. */
    public Params with(String name, String value) {
        if (value.isEmpty()) {
            return this;
        }
        return new Params(more(name, List.of(value)));
    }

    /** These with one that may be said several times. */
    public Params and(String name, String value) {
        List<String> all = new ArrayList<>(values.getOrDefault(name, List.of()));
        all.add(value);
        return new Params(more(name, List.copyOf(all)));
    }

    private Map<String, List<String>> more(String name, List<String> all) {
        Map<String, List<String>> more = new TreeMap<>(values);
        more.put(name, all);
        return more;
    }

    /** These with one that is either said or not. */
    public Params with(String name, boolean value) {
        return value ? with(name, "true") : this;
    }

    /** Another namespace than the client's; {@code *} for all, in lists. */
    public Params namespace(String namespace) {
        return with("namespace", namespace);
    }

    /** Only ids that begin so. */
    public Params prefix(String prefix) {
        return with("prefix", prefix);
    }

    /** Only what satisfies the expression. */
    public Params filter(String expression) {
        return with("filter", expression);
    }

    /**
     * One page.
     *
     * @param perPage items at most; 0 for the server's choice
     * @param nextToken where the page begins; empty for the first
     */
    public Params page(int perPage, String nextToken) {
        return with("per_page", perPage == 0 ? "" : String.valueOf(perPage)).with("next_token", nextToken);
    }

    /** Answered once there is something newer than {@code index}, or after {@code longest}. */
    public Params newerThan(long index, Duration longest) {
        return with("index", String.valueOf(index)).with("wait", longest.toMillis() + "ms");
    }

    boolean has(String name) {
        return values.containsKey(name);
    }

    String query() {
        return values.isEmpty()
                ? ""
                : values.entrySet().stream()
                        .flatMap(entry ->
                                entry.getValue().stream().map(value -> escape(entry.getKey()) + "=" + escape(value)))
                        .collect(Collectors.joining("&", "?", ""));
    }

    /** {@code text} as one segment of a path, or one part of a query. */
    static String escape(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
