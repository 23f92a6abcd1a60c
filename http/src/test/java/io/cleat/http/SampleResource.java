package io.cleat.http;

import io.cleat.api.Answer;
import io.cleat.api.AnswerMeta;
import io.cleat.api.JobRegisterRequest;
import io.cleat.base.Refusal;
import io.cleat.base.Refused;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A resource of the tests' own, at paths that clients know. It answers with what the test laid ready, and remembers how
 * the request was read.
 */
final class SampleResource {
    /** The body of the next answers; null for "no such object". */
    @Nullable
    Object body;

    AnswerMeta meta = AnswerMeta.ofLeader(7);

    /** Thrown instead, if there is one. */
    @Nullable
    Refusal refusal;

    /** What was asked last: what for, then its arguments. */
    List<Object> asked = List.of();

    List<Route> routes() {
        return List.of(
                Route.get("/v1/nodes", request -> list("nodes", request)),
                Route.get("/v1/jobs", request -> list("jobs", request)),
                Route.put("/v1/jobs", this::register),
                Route.get("/v1/volumes", request -> list("volumes", request)),
                Route.get("/v1/volume/csi/:id", this::get),
                Route.delete("/v1/volume/csi/:id", this::delete),
                Route.get("/v1/status/leader", request -> Reply.json(ready("leader"))),
                Route.get("/v1/status/peers", request -> Reply.json(ready("peers"))),
                Route.get("/v1/regions", request -> Reply.json(List.of("global"))),
                Route.put("/v1/system/gc", request -> Reply.empty()),
                Route.get("/v1/event/stream", this::stream));
    }

    private Object ready(Object... question) throws Refused {
        asked = List.of(question);
        if (refusal != null) {
            throw new Refused(refusal);
        }
        if (body == null) {
            throw new IllegalStateException("no answer laid ready for " + asked);
        }
        return body;
    }

    private Reply list(String what, Request request) throws Refused {
        return Replies.query(new Answer<>(ready(what, QueryParams.list(request)), meta));
    }

    private Reply register(Request request) throws Refused {
        JobRegisterRequest read = Bodies.read(request, JobRegisterRequest.class);
        return Replies.written(new Answer<>(ready("register", QueryParams.write(request), read), meta));
    }

    private Reply get(Request request) throws Refused {
        asked = List.of("get", QueryParams.read(request), request.variable("id"));
        return Replies.found(new Answer<>(Optional.ofNullable(body), meta), "volume not found");
    }

    private Reply delete(Request request) throws Refused {
        asked = List.of("delete", QueryParams.write(request), request.variable("id"));
        return Replies.withMeta(Reply.empty(), meta);
    }

    private Reply stream(Request request) {
        return Reply.stream("application/json", out -> out.write('\n'));
    }
}
