package io.cleat.http;

import io.cleat.base.Durations;
import io.cleat.base.Refusal;
import io.cleat.base.Refused;
import io.cleat.base.VisibleText;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/** The query parameters that many routes share, with the texts for unreadable ones. */
public final class QueryParams {
    private static final Pattern REQUEST_ID = Pattern.compile("[!-~]{0,64}");

    /** Characters of a value in a refusal. */
    private static final int QUOTED = 64;

    private QueryParams() {}

    public static ReadQuery read(Request request) throws Refused {
        return new ReadQuery(namespace(request), index(request), longest(request), stale(request), request.early());
    }

    public static ListQuery list(Request request) throws Refused {
        return new ListQuery(
                read(request),
                request.text("prefix"),
                filter(request),
                perPage(request),
                request.text("next_token"),
                request.text("reverse").equals("true"));
    }

    public static WriteQuery write(Request request) throws Refused {
        String requestId = request.header("X-Cleat-Request-Id");
        if (!REQUEST_ID.matcher(requestId).matches()) {
            throw malformed("X-Cleat-Request-Id is at most 64 visible ASCII characters");
        }
        return new WriteQuery(namespace(request), requestId);
    }

    /** A flag that is absent, or one of the words for true and false. */
    public static boolean flag(Request request, String name) throws Refused {
        return flag(request, name, false);
    }

    /** As {@link #flag(Request, String)}, with another meaning of absence. */
    public static boolean flag(Request request, String name, boolean otherwise) throws Refused {
        Optional<String> value = request.query(name, false);
        if (value.isEmpty()) {
            return otherwise;
        }
        return bool(value.get())
                .orElseThrow(() -> malformed("Failed to parse value of \""
                        + name
                        + "\" ("
                        + VisibleText.cut(value.get(), QUOTED)
                        + ") as a bool"));
    }

    /** A number that is absent (0) or not negative. */
    public static int count(Request request, String name) throws Refused {
        String text = request.text(name);
        try {
            int number = text.isEmpty() ? 0 : Integer.parseInt(text);
            if (number >= 0) {
                return number;
            }
        } catch (NumberFormatException notANumber) {
            throw malformed("Expect a number for `" + name + "` query string parameter");
        }
        throw malformed("Expect a number for `" + name + "` query string parameter");
    }

    /** The words that clients use for true and false. */
    public static Optional<Boolean> bool(String text) {
        return switch (text) {
            case "1", "t", "T", "true", "TRUE", "True" -> Optional.of(true);
            case "0", "f", "F", "false", "FALSE", "False" -> Optional.of(false);
            default -> Optional.empty();
        };
    }

    public static Refused malformed(String message) {
        return new Refused(new Refusal.Malformed(message));
    }

    /** As {@link #write}, of what has an id in all namespaces: {@code *} unless one was named. */
    public static WriteQuery writeOfAny(Request request) throws Refused {
        String named = request.text("namespace");
        return new WriteQuery(named.isEmpty() ? "*" : named, write(request).requestId());
    }

    private static String namespace(Request request) {
        String namespace = request.text("namespace");
        return namespace.isEmpty() ? "default" : namespace;
    }

    private static int perPage(Request request) throws Refused {
        return count(request, "per_page");
    }

    /** The index that must be the newest for a write to change something; empty for any. */
    public static OptionalLong ifIndex(Request request) throws Refused {
        return unsigned(request, "cas", "Error parsing cas value: expected a number");
    }

    private static long index(Request request) throws Refused {
        return unsigned(request, "index", "Invalid index").orElse(0);
    }

    private static OptionalLong unsigned(Request request, String name, String otherwise) throws Refused {
        Optional<String> text = request.query(name, false);
        try {
            return text.isPresent() ? OptionalLong.of(Long.parseUnsignedLong(text.get())) : OptionalLong.empty();
        } catch (NumberFormatException notANumber) {
            throw malformed(otherwise);
        }
    }

    private static Duration longest(Request request) throws Refused {
        Optional<String> text = request.query("wait", false);
        if (text.isEmpty()) {
            return ReadQuery.LONGEST_WAIT;
        }
        long nanos = Durations.parse(text.get()).orElse(-1);
        if (nanos < 0) {
            throw malformed("Invalid wait time");
        }
        Duration wait = Duration.ofNanos(nanos);
        return wait.isZero() || wait.compareTo(ReadQuery.LONGEST_WAIT) > 0 ? ReadQuery.LONGEST_WAIT : wait;
    }

    private static boolean stale(Request request) throws Refused {
        Optional<String> text = request.query("stale", true);
        if (text.isEmpty() || text.get().isEmpty()) {
            return text.isPresent();
        }
        return bool(text.get())
                .orElseThrow(() -> malformed("Expect `true` or `false` for `stale` query string parameter"));
    }

    /**
     * The filter that a body gives.
     *
     * @throws Refused it cannot be read
     */
    public static Filter filter(String expression) throws Refused {
        return FilterParser.parse(expression);
    }

    private static Filter filter(Request request) throws Refused {
        Optional<String> expression = request.query("filter", false);
        return expression.isPresent() ? FilterParser.parse(expression.get()) : Filter.ALL;
    }
}
