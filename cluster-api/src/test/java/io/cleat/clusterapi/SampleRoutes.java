package io.cleat.clusterapi;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cleat.api.Json;
import io.cleat.base.Ids;
import io.cleat.base.Refused;
import io.cleat.base.Trouble;
import io.cleat.http.Dispatcher;
import io.cleat.http.Guard;
import io.cleat.http.Reply;
import io.cleat.http.Request;
import io.cleat.state.ClusterState;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** The cluster's routes, without a socket, over a sample. */
public final class SampleRoutes implements AutoCloseable {
    private final Runnable end;
    private final Supplier<ClusterState> state;
    private final Dispatcher dispatcher;

    /** What was answered. */
    public record Answered(int status, Map<String, String> headers, String body) {}

    /** Over the intake alone. */
    public static SampleRoutes of(SampleCluster sample) throws Trouble, InterruptedException {
        Intake intake = Intake.over(sample.state());
        return new SampleRoutes(intake::close, intake::state, intake.cluster());
    }

    /** Over a whole server, with a plugin that answers. */
    static SampleRoutes serving(SampleCluster sample) throws Exception {
        ServingSample serving = new ServingSample(sample);
        return new SampleRoutes(serving::close, serving::state, serving.cluster());
    }

    private SampleRoutes(Runnable end, Supplier<ClusterState> state, ServerCluster cluster) {
        this.end = end;
        this.state = state;
        this.dispatcher = new Dispatcher(
                Guard.anyHost(),
                ClusterRoutes.of(cluster),
                () -> List.of("global"),
                (where, fault) -> {
                    throw new AssertionError(where, fault);
                },
                Ids.random());
    }

    ClusterState state() {
        return state.get();
    }

    public Answered get(String target) throws InterruptedException {
        return send("GET", target, "");
    }

    Answered send(String method, String target, String body) throws InterruptedException {
        return send(method, target, body, Map.of());
    }

    /** @param headers by name in lower case */
    Answered send(String method, String target, String body, Map<String, String> headers) throws InterruptedException {
        try {
            Reply reply = dispatcher.answer(Request.of(method, target, headers, body.getBytes(UTF_8), Request.UNIX));
            return new Answered(reply.status(), reply.headers(), text(reply.body()));
        } catch (Refused unreadable) {
            throw new AssertionError(target, unreadable);
        }
    }

    private static String text(Reply.Body body) {
        return switch (body) {
            case Reply.Empty _ -> "";
            case Reply.Json(Object value) -> new String(Json.write(value), UTF_8);
            case Reply.Text(String text) -> text;
            default -> throw new AssertionError("no text: " + body);
        };
    }

    @Override
    public void close() {
        end.run();
    }
}
