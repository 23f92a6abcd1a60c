package io.cleat.driver.docker;

import io.cleat.base.DriverTrouble;
import io.cleat.base.Effect;
import io.cleat.base.Retry;
import io.cleat.base.VisibleText;
import io.cleat.exchange.HttpReply;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.MissingNode;

/**
 * Calls of an engine's API, each with an end: a limit for each step, and one for how much is read. Source: the
 * documentation of Docker's Engine API, of whose versions 1.40 to 1.47 the newest that the engine has is spoken.
 *
 * <p>Used by any thread; guarded by nothing: what is known of the engine is one reference, of which {@link #hello}
 * writes a new one.
 */
final class Engine {
    /** For an answer that needs no work. */
    static final Duration SHORT = Duration.ofSeconds(10);

    /** For what makes, starts or removes something. */
    static final Duration LONG = Duration.ofMinutes(2);

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final int LONGEST_ANSWER = 16 << 20;
    private static final int LONGEST_WORDS = 2000;
    private static final ApiVersion OLDEST = new ApiVersion(1, 40);
    private static final ApiVersion NEWEST = new ApiVersion(1, 47);

    private final EngineSocket socket;
    private volatile @Nullable Known known;

    /**
     * What it said of itself.
     *
     * @param version that is spoken with it
     * @param podman the version of Podman's own API; empty of another engine
     */
    private record Known(ApiVersion version, String podman) {}

    Engine(EngineSocket socket) {
        this.socket = socket;
    }

    /** Where it listens, as people say it. */
    String address() {
        return "unix://" + socket.path();
    }

    /** The version that is spoken: the oldest, before it has said which it has. */
    ApiVersion version() {
        Known now = known;
        return now == null ? OLDEST : now.version();
    }

    /**
     * Whether a container that joins the network of another may have a host name of its own: others have that of the
     * other.
     */
    boolean namesWhoeverJoins() throws DriverTrouble {
        return isPodman();
    }

    /**
     * Whether it answers, which costs it next to nothing.
     *
     * @return what the answer says of the engine: that of another one says something else
     */
    String ping() throws DriverTrouble {
        String target = "/_ping";
        try (HttpReply reply = open("GET", target, target, null, Map.of(), SHORT)) {
            return reply.field("Server") + " " + reply.field("Api-Version");
        } catch (IOException failed) {
            throw cut("GET", "GET " + target, failed);
        }
    }

    /**
     * Asks who it is, and agrees on a version.
     *
     * @throws DriverTrouble also if the two have no version in common
     */
    JsonNode hello() throws DriverTrouble {
        JsonNode said = read("GET", "/version", "/version", null, Map.of(), SHORT);
        String theirs = said.path("ApiVersion").asString("");
        ApiVersion newest = ApiVersion.of(theirs)
                .orElseThrow(() ->
                        garbage("GET /version", "it names no ApiVersion: " + VisibleText.cut(said.toString(), 200)));
        ApiVersion oldest =
                ApiVersion.of(said.path("MinAPIVersion").asString("")).orElse(OLDEST);
        if (newest.isBefore(OLDEST) || NEWEST.isBefore(oldest)) {
            throw new DriverTrouble(
                    "the engine at "
                            + address()
                            + " speaks the versions "
                            + oldest
                            + " to "
                            + newest
                            + " of Docker's API, and this agent "
                            + OLDEST
                            + " to "
                            + NEWEST
                            + ": update the older of the two",
                    Effect.NONE,
                    Retry.NEVER);
        }
        JsonNode engine = said.path("Components").path(0);
        known = new Known(
                newest.isBefore(NEWEST) ? newest : NEWEST,
                engine.path("Name").asString("").toLowerCase(Locale.ROOT).startsWith("podman")
                        ? engine.path("Details").path("APIVersion").asString("")
                        : "");
        return said;
    }

    /** Whether it is Podman, which has an API of its own beside Docker's. */
    boolean isPodman() throws DriverTrouble {
        return !met().podman().isEmpty();
    }

    private Known met() throws DriverTrouble {
        if (known == null) {
            var _ = hello();
        }
        return Objects.requireNonNull(known);
    }

    /** Asks Podman by its own API. */
    void postPodman(String target, Duration idle) throws DriverTrouble {
        var _ = read("POST", target, "/v" + met().podman() + "/libpod" + target, null, Map.of(), idle);
    }

    JsonNode get(String target) throws DriverTrouble {
        return call("GET", target, null, Map.of(), SHORT);
    }

    JsonNode post(String target, @Nullable Object body, Duration idle) throws DriverTrouble {
        return call("POST", target, body, Map.of(), idle);
    }

    JsonNode delete(String target) throws DriverTrouble {
        return call("DELETE", target, null, Map.of(), LONG);
    }

    private JsonNode call(
            String method, String target, @Nullable Object body, Map<String, String> fields, Duration idle)
            throws DriverTrouble {
        return read(method, target, "/v" + version() + target, body, fields, idle);
    }

    /** A target's part, encoded. */
    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private JsonNode read(
            String method,
            String target,
            String whole,
            @Nullable Object body,
            Map<String, String> fields,
            Duration idle)
            throws DriverTrouble {
        String asked = asked(method, target);
        try (HttpReply reply = open(method, target, whole, body, fields, idle)) {
            byte[] bytes = reply.body().readNBytes(LONGEST_ANSWER + 1);
            if (bytes.length > LONGEST_ANSWER) {
                throw garbage(asked, "more than " + LONGEST_ANSWER + " bytes");
            }
            return bytes.length == 0 ? MissingNode.getInstance() : JSON.readTree(bytes);
        } catch (JacksonException unreadable) {
            throw garbage(asked, "no JSON: " + unreadable.getOriginalMessage());
        } catch (IOException failed) {
            throw cut(method, asked, failed);
        }
    }

    /**
     * A call whose reply is read as it comes; the caller closes it.
     *
     * @param body sent as JSON; bytes as they are, whose type a field says
     * @param idle how long each step may wait
     */
    HttpReply stream(String method, String target, @Nullable Object body, Map<String, String> fields, Duration idle)
            throws DriverTrouble {
        try {
            return open(method, target, "/v" + version() + target, body, fields, idle);
        } catch (IOException failed) {
            throw cut(method, asked(method, target), failed);
        }
    }

    private HttpReply open(
            String method,
            String target,
            String whole,
            @Nullable Object body,
            Map<String, String> fields,
            Duration idle)
            throws IOException, DriverTrouble {
        byte[] raw = body instanceof byte[] given ? given : null;
        byte[] bytes = raw != null || body == null ? raw : JSON.writeValueAsBytes(body);
        Map<String, String> all = new LinkedHashMap<>(fields);
        if (bytes != null && raw == null) {
            all.put("Content-Type", "application/json");
        }
        HttpReply reply = socket.open(method, whole, all, bytes, idle);
        boolean isKept = false;
        try {
            if (reply.status() >= 300) {
                throw new EngineAnswer(asked(method, target), reply.status(), words(reply));
            }
            isKept = true;
            return reply;
        } finally {
            if (!isKept) {
                reply.close();
            }
        }
    }

    /** An engine says {@code {"message": ...}}; what stands between may say anything. */
    private static String words(HttpReply reply) throws IOException {
        byte[] body = reply.body().readNBytes(64 << 10);
        String text = new String(body, StandardCharsets.UTF_8).strip();
        try {
            String message = JSON.readTree(body).path("message").asString("");
            text = message.isEmpty() ? text : message;
        } catch (JacksonException plain) {
            // What it is stays as it is.
        }
        return VisibleText.cut(text.isEmpty() ? "no words" : text, LONGEST_WORDS);
    }

    private static String asked(String method, String target) {
        int query = target.indexOf('?');
        return method + " " + (query < 0 ? target : target.substring(0, query));
    }

    /** A line of a stream, such as that of a pull. */
    static JsonNode line(String asked, String line) throws DriverTrouble {
        try {
            return JSON.readTree(line);
        } catch (JacksonException unreadable) {
            throw garbage(asked, "no JSON: " + VisibleText.cut(line, 200));
        }
    }

    /** JSON in bytes, such as a request's field holds it. */
    static byte[] json(Object value) {
        return JSON.writeValueAsBytes(value);
    }

    static DriverTrouble garbage(String asked, String what) {
        return new DriverTrouble(
                "the engine's answer to " + asked + " cannot be read: " + what,
                asked.startsWith("GET ") ? Effect.NONE : Effect.UNKNOWN,
                Retry.SAME_CALL);
    }

    /** The connection failed, or nothing came in time. */
    DriverTrouble cut(String method, String asked, IOException failed) {
        boolean isNone = method.equals("GET") || failed instanceof EngineSocket.NotSent;
        Throwable why =
                failed instanceof EngineSocket.NotSent && failed.getCause() != null ? failed.getCause() : failed;
        String words = why.getMessage() == null ? why.toString() : why.getMessage();
        return new DriverTrouble(
                "the engine at "
                        + address()
                        + (failed instanceof EngineSocket.NotSent
                                ? " cannot be reached: "
                                : " gave no answer to " + asked + ": ")
                        + words,
                isNone ? Effect.NONE : Effect.UNKNOWN,
                Retry.SAME_CALL,
                failed);
    }
}
