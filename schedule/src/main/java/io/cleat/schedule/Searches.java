package io.cleat.schedule;

import io.cleat.base.LinearPattern;
import io.cleat.base.Meter;
import io.cleat.base.Refused;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The regular expressions of the constraints of one evaluation: each is compiled once, each text searched once, and all
 * searches together are bounded. For one thread.
 */
final class Searches {
    /** About two seconds of searching; thousands of nodes need milliseconds. */
    private static final Meter.Limits LIMITS = new Meter.Limits(10_000_000, 0, 0);

    private static final int REMEMBERED = 10_000;

    private final Meter meter = new Meter(LIMITS);
    private final Map<String, Optional<LinearPattern>> compiled = new HashMap<>();
    private final Map<Search, Found> found = new HashMap<>();

    private record Search(String expression, String text) {}

    /** What came of a search. */
    enum Found {
        YES,
        NO,
        /** It is no expression, or takes too long. */
        REFUSED
    }

    Found find(String expression, String text) {
        if (found.size() >= REMEMBERED) {
            found.clear();
            compiled.clear();
        }
        Search search = new Search(expression, text);
        Found known = found.get(search);
        if (known == null) {
            known = search(search);
            found.put(search, known);
        }
        return known;
    }

    private Found search(Search search) {
        Optional<LinearPattern> pattern = compiled.computeIfAbsent(search.expression(), Searches::compile);
        if (pattern.isEmpty()) {
            return Found.REFUSED;
        }
        try {
            return pattern.get().isFoundIn(search.text(), meter) ? Found.YES : Found.NO;
        } catch (Refused takesTooLong) {
            return Found.REFUSED;
        }
    }

    /** A job is checked before it is stored; what a node says, and older jobs, may be anything. */
    private static Optional<LinearPattern> compile(String expression) {
        try {
            return Optional.of(LinearPattern.compile(expression));
        } catch (Refused notOne) {
            return Optional.empty();
        }
    }
}
