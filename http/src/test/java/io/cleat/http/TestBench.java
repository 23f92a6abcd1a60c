package io.cleat.http;

import io.cleat.api.AnswerMeta;
import io.cleat.api.Metrics;
import io.cleat.base.Refused;
import io.cleat.http.routes.Routes;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** The routes of a node, and a sample resource, over fakes and without a socket. */
final class TestBench {
    final SampleResource sample = new SampleResource();

    /** Those of the server. */
    Metrics figures = new Metrics(List.of(), List.of(), List.of(), List.of(), List.of(), "now");

    final FakeNode node = new FakeNode();
    final List<String> faults = new CopyOnWriteArrayList<>();
    final Dispatcher dispatcher = new Dispatcher(
            Guard.local(),
            routes(),
            () -> List.of("global"),
            (where, fault) -> faults.add(where),
            () -> "1a2b3c4d-5e6f");

    List<Route> routes() {
        List<Route> routes = new ArrayList<>(sample.routes());
        routes.addAll(Routes.of(node, () -> figures, AgentLocator.HERE));
        return routes;
    }

    void answerWith(@Nullable Object body, AnswerMeta meta) {
        sample.body = body;
        sample.meta = meta;
        node.body = body;
    }

    Encoded get(String target) throws InterruptedException {
        return send("GET", target, "");
    }

    Encoded send(String method, String target, String body) throws InterruptedException {
        return send(method, target, body, Map.of());
    }

    /** @param headers by name in lower case */
    Encoded send(String method, String target, String body, Map<String, String> headers) throws InterruptedException {
        Map<String, String> all = new HashMap<>(headers);
        all.put("host", "127.0.0.1:4646");
        try {
            Request request = Request.of(method, target, all, body.getBytes(StandardCharsets.UTF_8), 4646);
            return Encoded.of(dispatcher.answer(request), request);
        } catch (Refused unreadable) {
            return Encoded.of(Problems.reply(unreadable.refusal(), false));
        }
    }

    static String text(Encoded reply) {
        return new String(reply.body(), StandardCharsets.UTF_8);
    }
}
