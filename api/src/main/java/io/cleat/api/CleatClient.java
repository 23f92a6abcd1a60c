package io.cleat.api;

import io.cleat.base.Effect;
import io.cleat.base.Ids;
import io.cleat.base.LinkTrouble;
import io.cleat.base.Refused;
import io.cleat.base.Retry;
import io.cleat.base.Secret;
import io.cleat.exchange.HttpReply;
import io.cleat.exchange.HttpRequest;
import io.cleat.exchange.TimedChannel;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;

/**
 * The API as methods. Safe for any number of threads; each call has a connection of its own and blocks until it is
 * answered.
 *
 * <p>HTTP is spoken by hand: the JDK's client cannot connect to a Unix socket, and loading it costs a command ten times
 * what this does (docs/decisions/http-client.md).
 */
public final class CleatClient {
    private static final String REQUEST_ID = "X-Cleat-Request-Id";
    private static final Ids REQUEST_IDS = Ids.random();
    private static final Duration CONNECT = Duration.ofSeconds(10);
    // Longer than the longest blocking query, and than a volume's creation with all its tries.
    private static final Duration IDLE = Duration.ofMinutes(15);

    private final ServerAddress address;
    private final Options options;

    /**
     * What every request of a client carries.
     *
     * @param namespace empty for the server's default
     * @param region empty for the server's own
     * @param token empty for none
     */
    public record Options(String namespace, String region, Secret token) {
        public static final Options NONE = new Options("", "", new Secret(""));
    }

    public CleatClient(ServerAddress address, Options options) {
        this.address = address;
        this.options = options;
    }

    public ServerAddress address() {
        return address;
    }

    public VolumesClient volumes() {
        return new VolumesClient(this);
    }

    public PluginsClient plugins() {
        return new PluginsClient(this);
    }

    public JobsClient jobs() {
        return new JobsClient(this);
    }

    public DeploymentsClient deployments() {
        return new DeploymentsClient(this);
    }

    public EvaluationsClient evaluations() {
        return new EvaluationsClient(this);
    }

    public AllocationsClient allocations() {
        return new AllocationsClient(this);
    }

    public NodesClient nodes() {
        return new NodesClient(this);
    }

    public ScalingClient scaling() {
        return new ScalingClient(this);
    }

    public NodePoolsClient nodePools() {
        return new NodePoolsClient(this);
    }

    public VariablesClient variables() {
        return new VariablesClient(this);
    }

    /** Services. */
    public ServicesClient services() {
        return new ServicesClient(this);
    }

    public HostVolumesClient hostVolumes() {
        return new HostVolumesClient(this);
    }

    public NamespacesClient namespaces() {
        return new NamespacesClient(this);
    }

    public AgentClient agent() {
        return new AgentClient(this);
    }

    <T> Answer<T> get(String path, Params params, Class<T> type) throws UnexpectedAnswer, LinkTrouble {
        return get(path, params, Map.of(), type);
    }

    <T> Answer<T> get(String path, Params params, Map<String, String> fields, Class<T> type)
            throws UnexpectedAnswer, LinkTrouble {
        return call("GET", path, params, null, fields, body -> Json.read(body, type));
    }

    <T> Answer<T> get(String path, Params params, TypeReference<T> type) throws UnexpectedAnswer, LinkTrouble {
        return call("GET", path, params, null, Map.of(), body -> Json.read(body, type));
    }

    <T> Answer<T> put(String path, Params params, @Nullable Object request, Class<T> type)
            throws UnexpectedAnswer, LinkTrouble {
        return call("PUT", path, params, request, Map.of(), body -> Json.read(body, type));
    }

    <T> Answer<T> put(String path, Params params, Object request, TypeReference<T> type)
            throws UnexpectedAnswer, LinkTrouble {
        return call("PUT", path, params, request, Map.of(), body -> Json.read(body, type));
    }

    <T> Answer<T> delete(String path, Params params, Object request, Class<T> type)
            throws UnexpectedAnswer, LinkTrouble {
        return call("DELETE", path, params, request, Map.of(), body -> Json.read(body, type));
    }

    <T> Answer<T> delete(String path, Params params, Class<T> type) throws UnexpectedAnswer, LinkTrouble {
        return call("DELETE", path, params, null, Map.of(), body -> Json.read(body, type));
    }

    /** A request whose answer has no body. */
    AnswerMeta send(String method, String path, Params params, Map<String, String> fields)
            throws UnexpectedAnswer, LinkTrouble {
        return exchange(method, path, params, null, fields, CleatClient::meta);
    }

    /** As {@link #send(String, String, Params, Map)}, with a body. */
    AnswerMeta send(String method, String path, Params params, Object request) throws UnexpectedAnswer, LinkTrouble {
        return exchange(method, path, params, Json.write(request), Map.of(), CleatClient::meta);
    }

    /** A request whose answer is read as it comes; the caller closes it. */
    HttpReply stream(String path, Params params) throws UnexpectedAnswer, LinkTrouble {
        try {
            return open("GET", path, params, null, Map.of());
        } catch (IOException failed) {
            throw trouble("GET", path, failed);
        }
    }

    private <T> Answer<T> call(
            String method,
            String path,
            Params params,
            @Nullable Object request,
            Map<String, String> fields,
            Decoder<T> decoder)
            throws UnexpectedAnswer, LinkTrouble {
        byte[] body = request == null ? null : Json.write(request);
        return exchange(method, path, params, body, fields, reply -> {
            byte[] answer = WholeBody.read(reply.body(), WholeBody.longest(), method + " " + path);
            try {
                return new Answer<>(decoder.decode(answer), meta(reply));
            } catch (Refused unreadable) {
                throw new LinkTrouble(
                        address.text()
                                + " answered "
                                + method
                                + " "
                                + path
                                + " with what cannot be read: "
                                + unreadable.refusal().message(),
                        Effect.UNKNOWN,
                        Retry.NEVER,
                        unreadable);
            }
        });
    }

    /**
     * One request and its answer. What changes something carries an id of its own, so that it can be sent once more
     * when its answer got lost: the server does it once.
     */
    private <T> T exchange(
            String method,
            String path,
            Params params,
            byte @Nullable [] body,
            Map<String, String> fields,
            Reader<T> reader)
            throws UnexpectedAnswer, LinkTrouble {
        boolean changes = !method.equals("GET");
        Map<String, String> all = new LinkedHashMap<>(fields);
        if (changes) {
            all.put(REQUEST_ID, REQUEST_IDS.next());
        }
        try {
            return tryOnce(method, path, params, body, all, reader);
        } catch (IOException lost) {
            if (!changes) {
                throw trouble(method, path, lost);
            }
            try {
                return tryOnce(method, path, params, body, all, reader);
            } catch (IOException | LinkTrouble again) {
                // Whatever the second came to, the first may have had its effect.
                lost.addSuppressed(again);
                throw trouble(method, path, lost);
            }
        }
    }

    private <T> T tryOnce(
            String method,
            String path,
            Params params,
            byte @Nullable [] body,
            Map<String, String> fields,
            Reader<T> reader)
            throws IOException, UnexpectedAnswer, LinkTrouble {
        try (HttpReply reply = open(method, path, params, body, fields)) {
            return reader.read(reply);
        }
    }

    private HttpReply open(
            String method, String path, Params params, byte @Nullable [] body, Map<String, String> fields)
            throws IOException, UnexpectedAnswer, LinkTrouble {
        Map<String, String> all = new LinkedHashMap<>(fields);
        if (body != null) {
            all.put("Content-Type", "application/json");
        }
        String token = options.token().reveal();
        if (!token.isEmpty()) {
            all.put("X-Nomad-Token", token);
        }
        TimedChannel channel = connect(method, path);
        try {
            HttpReply reply =
                    exchange(channel, method, path + withDefaults(params).query(), all, body);
            if (reply.status() != 200 && !reply.isSwitched()) {
                throw new UnexpectedAnswer(reply.status(), reply.text());
            }
            return reply;
        } catch (IOException | RuntimeException | UnexpectedAnswer failed) {
            channel.close();
            throw failed;
        }
    }

    /** Opens a websocket. */
    TextSocket socket(String path, Params params) throws UnexpectedAnswer, LinkTrouble {
        Map<String, String> fields = TextSocket.request();
        try {
            HttpReply reply = open("GET", path, params, null, fields);
            return TextSocket.over(reply, fields);
        } catch (IOException failed) {
            throw trouble("GET", path, failed);
        }
    }

    /**
     * Passes on a request that somebody else made, as it is: neither namespace nor region nor token of this client go
     * with it. The answer, whatever its status, is the caller's to read and close.
     *
     * @param target path and query, encoded
     * @param fields to be sent, beside those that belong to the connection
     */
    public HttpReply pass(String method, String target, Map<String, String> fields, byte[] body) throws LinkTrouble {
        TimedChannel channel = connect(method, target);
        try {
            return exchange(channel, method, target, fields, body.length == 0 ? null : body);
        } catch (IOException failed) {
            closeQuietly(channel);
            throw trouble(method, target, failed);
        }
    }

    private HttpReply exchange(
            TimedChannel channel, String method, String target, Map<String, String> fields, byte @Nullable [] body)
            throws IOException {
        return new HttpRequest(method, target, address.hostField(), fields, body).over(channel);
    }

    private static void closeQuietly(TimedChannel channel) {
        try {
            channel.close();
        } catch (IOException failed) {
            // The exchange has failed already, and that is what is told.
            return;
        }
    }

    private Params withDefaults(Params params) {
        Params all = params.has("namespace") ? params : params.namespace(options.namespace());
        return all.has("region") ? all : all.with("region", options.region());
    }

    private static AnswerMeta meta(HttpReply reply) throws IOException {
        return new AnswerMeta(
                number(reply.field("X-Nomad-Index")),
                number(reply.field("X-Nomad-LastContact")),
                reply.field("X-Nomad-KnownLeader").equals("true"),
                reply.field("X-Nomad-NextToken"));
    }

    private static long number(String text) throws IOException {
        return text.isEmpty() ? 0 : HttpReply.number(text, 10);
    }

    private TimedChannel connect(String method, String path) throws LinkTrouble {
        try {
            return TimedChannel.open(address.socket(), CONNECT, IDLE);
        } catch (IOException failed) {
            throw trouble(method, path, Effect.NONE, failed);
        }
    }

    /** A request that was sent may have had its effect, unless it only reads. */
    private LinkTrouble trouble(String method, String path, IOException failed) {
        return trouble(method, path, method.equals("GET") ? Effect.NONE : Effect.UNKNOWN, failed);
    }

    private LinkTrouble trouble(String method, String path, Effect effect, IOException failed) {
        return new LinkTrouble(
                "no answer from the server at "
                        + address.text()
                        + " ("
                        + method
                        + " "
                        + path
                        + "): "
                        + (failed.getMessage() == null ? failed : failed.getMessage())
                        + "; is an agent running there?",
                effect,
                Retry.SAME_CALL,
                failed);
    }

    @FunctionalInterface
    private interface Reader<T> {
        T read(HttpReply reply) throws IOException, LinkTrouble;
    }

    @FunctionalInterface
    private interface Decoder<T> {
        T decode(byte[] body) throws Refused;
    }
}
