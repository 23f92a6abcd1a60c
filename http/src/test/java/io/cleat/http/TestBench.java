package io.cleat.http;

import io.cleat.api.AnswerMeta;
import io.cleat.base.Refused;
import io.cleat.http.routes.Routes;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** All routes over fakes, without a socket. */
final class TestBench {
    final FakeCluster cluster = new FakeCluster();
    final FakeNode node = new FakeNode();
    final List<String> faults = new CopyOnWriteArrayList<>();
    final Dispatcher dispatcher =
            new Dispatcher(
                    Guard.local(),
                    Routes.of(cluster, node, Whereabouts.HERE),
                    cluster.operator()::regions,
                    (where, fault) -> faults.add(where),
                    () -> "1a2b3c4d-5e6f");

    void answerWith(@Nullable Object body, AnswerMeta meta) {
        cluster.body = body;
        cluster.meta = meta;
        node.body = body;
    }

    Encoded get(String target) throws InterruptedException {
        return send("GET", target, "");
    }

    Encoded send(String method, String target, String body) throws InterruptedException {
        return send(method, target, body, Map.of());
    }

    /**
     * @param headers by name in lower case
     */
    Encoded send(String method, String target, String body, Map<String, String> headers)
            throws InterruptedException {
        Map<String, String> all = new HashMap<>(headers);
        all.put("host", "127.0.0.1:4646");
        try {
            Request request =
                    Request.of(method, target, all, body.getBytes(StandardCharsets.UTF_8), 4646);
            return Encoded.of(dispatcher.answer(request), request);
        } catch (Refused unreadable) {
            return Encoded.of(Problems.reply(unreadable.refusal(), false));
        }
    }

    static String text(Encoded reply) {
        return new String(reply.body(), StandardCharsets.UTF_8);
    }
}
