package io.cleat.http;

import io.cleat.api.Answer;
import io.cleat.api.AnswerMeta;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Answers of the two interfaces as replies, with the headers each kind has. */
public final class Replies {
    private Replies() {}

    /** The answer of a query. */
    public static Reply query(Answer<?> answer) {
        return withMeta(Reply.json(answer.body()), answer.meta());
    }

    /** The answer of a query for one object; without it, 404 and the same headers. */
    public static <T> Reply found(Answer<Optional<T>> answer, String missing) {
        return withMeta(answer.body().<Reply>map(Reply::json).orElseGet(() -> Reply.text(404, missing)), answer.meta());
    }

    /** The answer of a write that says only its version. */
    public static Reply written(Answer<?> answer) {
        return Reply.json(answer.body())
                .with("X-Nomad-Index", String.valueOf(answer.meta().index()));
    }

    /** A reply with all headers of {@code meta}. */
    public static Reply withMeta(Reply reply, AnswerMeta meta) {
        Map<String, String> headers = new TreeMap<>(reply.headers());
        headers.put("X-Nomad-Index", String.valueOf(meta.index()));
        headers.put("X-Nomad-Knownleader", String.valueOf(meta.knownLeader()));
        headers.put("X-Nomad-Lastcontact", String.valueOf(meta.lastContactMillis()));
        if (!meta.nextToken().isEmpty()) {
            headers.put("X-Nomad-Nexttoken", meta.nextToken());
        }
        return new Reply(reply.status(), headers, reply.body());
    }
}
