package io.cleat.fuzz.requests;

import io.cleat.fuzz.Filled;
import io.cleat.fuzz.HostileValues;
import io.cleat.fuzz.JsonText;
import io.cleat.fuzz.requests.Attack.Kind;
import io.cleat.fuzz.targets.HttpRequests;
import io.cleat.http.Route;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.function.Supplier;

/** Each route of the table with each kind of damage: the same seed makes the same requests. */
public final class Battery {
    private static final List<String> METHODS =
            List.of("GET", "PUT", "POST", "DELETE", "HEAD", "PATCH", "TRACE", "get", "X", "A".repeat(99));

    private final Random chance;
    private final Ids ids;
    private final SampleBodies bodies;
    private final Wire wire;

    /** What is left of one kind of one route, and how many of it are taken at a time. */
    private record Heap(Queue<Supplier<Attack>> left, int share) {}

    public Battery(long seed, Ids ids) {
        chance = new Random(seed);
        this.ids = ids;
        bodies = new SampleBodies(ids);
        wire = new Wire(chance);
    }

    /**
     * So many requests, in an order drawn from the seed: of each kind of each route some, and then more of those that
     * have more.
     */
    public List<Attack> requests(int count) {
        List<Heap> heaps = new ArrayList<>();
        for (Route route : HttpRequests.routes()) {
            for (Kind kind : Kind.values()) {
                List<Supplier<Attack>> all = all(route, kind);
                Collections.shuffle(all, chance);
                heaps.add(new Heap(new ArrayDeque<>(all), share(kind)));
            }
        }
        List<Attack> taken = new ArrayList<>();
        boolean isMore = true;
        while (taken.size() < count && isMore) {
            isMore = false;
            for (Heap heap : heaps) {
                for (int i = 0; i < heap.share() && !heap.left().isEmpty(); i++) {
                    taken.add(heap.left().remove().get());
                    isMore = true;
                }
            }
        }
        List<Attack> some = new ArrayList<>(taken.subList(0, Math.min(count, taken.size())));
        Collections.shuffle(some, chance);
        return some;
    }

    /** Fields are many, and what they are given goes deepest. */
    private static int share(Kind kind) {
        return switch (kind) {
            case FIELD -> 40;
            case QUERY -> 4;
            default -> 1;
        };
    }

    private List<Supplier<Attack>> all(Route route, Kind kind) {
        Optional<String> body = bodies.of(route.pattern()).map(JsonText::of);
        Sent sent = Sent.of(route, ids, body);
        List<Supplier<Attack>> all = new ArrayList<>();
        switch (kind) {
            case NOTHING -> add(all, kind, sent);
            case FIELD -> fields(all, sent);
            case BODY -> {
                if (body.isPresent() || route.method().equals("PUT")) {
                    add(all, kind, sent, wire.bodies(sent));
                }
            }
            case VARIABLE -> variables(all, sent);
            case QUERY -> queries(all, sent);
            case HEADER -> headers(all, sent);
            case METHOD ->
                METHODS.stream()
                        .filter(method -> !isHarm(method, route))
                        .forEach(method -> add(all, kind, sent, List.of(sent.bytes(method, ""))));
            case LENGTH -> add(all, kind, sent, wire.lengths(sent));
            case CHUNKS -> add(all, kind, sent, wire.chunks(sent));
            case HALF -> add(all, kind, sent, wire.halves(sent));
            case PIPELINE -> add(all, kind, sent, wire.pipelines(sent));
            case GARBAGE -> add(all, kind, sent, wire.garbage(sent));
            case WEBSOCKET -> {
                if (sent.isEndless()) {
                    add(all, kind, sent, wire.webSockets(sent));
                } else {
                    add(all, kind, sent, wire.webSockets(sent).subList(0, 2));
                }
            }
        }
        return all;
    }

    /** Another method may be another route, which then would be meant for a node that exists. */
    private static boolean isHarm(String method, Route route) {
        return route.pattern().startsWith("/v1/node/") && route.method().equals("GET") && !method.equals("HEAD");
    }

    private void fields(List<Supplier<Attack>> into, Sent sent) {
        Optional<Object> sample = bodies.of(sent.route().pattern());
        if (sample.isEmpty()) {
            return;
        }
        // What the sample does not have is put into it, and is all there is beside what is good.
        List<String> known = JsonText.paths(sample.get());
        Object full = Filled.merged(sample.get(), SampleBodies.full(sent.route().pattern()));
        for (String path : JsonText.paths(full)) {
            Object document = known.contains(path) ? sample.get() : Filled.along(sample.get(), full, path);
            for (String value : HostileValues.JSON) {
                into.add(() -> attack(Kind.FIELD, sent.with(JsonText.of(document, path, value))));
            }
        }
    }

    private void variables(List<Supplier<Attack>> into, Sent sent) {
        Route route = sent.route();
        if (!route.pattern().contains(":") && !route.pattern().contains("*")) {
            return;
        }
        for (String name : HostileValues.NAMES) {
            String encoded = encoded(name);
            add(into, Kind.VARIABLE, sent.at(Sent.path(route, encoded)));
        }
        for (String raw : List.of(
                "%00",
                "%",
                "%zz",
                "%2e%2e",
                "..",
                ".",
                "..%2f..%2f",
                "%ff",
                "%ED%A0%80",
                ";a=b",
                "a;b",
                "a%3Fb",
                "a b",
                "[",
                "\\",
                "\u00e9",
                "*",
                "a".repeat(6_000),
                "%25%25",
                "../../../etc")) {
            add(into, Kind.VARIABLE, sent.at(Sent.path(route, raw)));
        }
    }

    private void queries(List<Supplier<Attack>> into, Sent sent) {
        for (String name : Parameters.QUERY) {
            for (String value : Parameters.VALUES) {
                into.add(() -> attack(Kind.QUERY, sent.asked(name + "=" + value)));
            }
            into.add(() -> attack(Kind.QUERY, sent.asked(name)));
        }
    }

    private void headers(List<Supplier<Attack>> into, Sent sent) {
        for (String name : Parameters.HEADERS) {
            for (String value : Parameters.HEADER_VALUES) {
                byte[] bytes = sent.bytes(sent.route().method(), name + ": " + value + "\r\n");
                boolean isOther = name.equals("Upgrade") || name.equals("Connection") || name.equals("Expect");
                Attack.Answer answer = isOther ? Attack.Answer.IF_ANY : sent.answer();
                into.add(() -> new Attack(name(sent), Kind.HEADER, bytes, answer));
            }
        }
    }

    private static Attack attack(Kind kind, Sent sent) {
        return new Attack(name(sent), kind, sent.bytes(), sent.answer());
    }

    private static void add(List<Supplier<Attack>> into, Kind kind, Sent sent) {
        add(into, kind, sent, List.of(sent.bytes()));
    }

    private static void add(List<Supplier<Attack>> into, Kind kind, Sent sent, List<byte[]> requests) {
        Attack.Answer answer = Wire.isSilent(kind) ? Attack.Answer.IF_ANY : sent.answer();
        for (byte[] request : requests) {
            into.add(() -> new Attack(name(sent), kind, request, answer));
        }
    }

    private static String name(Sent sent) {
        return sent.route().method() + " " + sent.route().pattern();
    }

    private static String encoded(String name) {
        return URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
