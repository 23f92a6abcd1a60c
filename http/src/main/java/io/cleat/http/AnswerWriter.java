package io.cleat.http;

import io.cleat.api.Json;
import io.cleat.base.ByteBudget;
import io.cleat.base.Refusal;
import io.cleat.base.Refused;
import io.cleat.base.Trouble;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Turns replies into what is sent. */
final class AnswerWriter {
    private static final Duration RETRY_AFTER = Duration.ofSeconds(5);

    private final AnswerSink sink;
    private final ByteBudget budget;
    private final boolean isPretty;
    private final boolean acceptsGzip;

    private AnswerWriter(AnswerSink sink, ByteBudget budget, boolean isPretty, boolean acceptsGzip) {
        this.sink = sink;
        this.budget = budget;
        this.isPretty = isPretty;
        this.acceptsGzip = acceptsGzip;
    }

    /** For the reply to what could not be read as a request. */
    static AnswerWriter to(AnswerSink sink, ByteBudget budget) {
        return new AnswerWriter(sink, budget, false, false);
    }

    /** @param budget what all large answers share */
    static AnswerWriter to(AnswerSink sink, ByteBudget budget, Request request) {
        return new AnswerWriter(sink, budget, isPretty(request), acceptsGzip(request));
    }

    /**
     * Writes {@code reply} to its end; on an exception the sink may have begun, and its connection is to be cut.
     *
     * @throws Refused also if too many large answers are under way; then nothing was sent
     * @param reply stays on HTTP: neither websocket nor tunnel
     */
    void write(Reply reply) throws IOException, Refused, Trouble, InterruptedException {
        // Another agent's are in lower case.
        Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        headers.putAll(reply.headers());
        headers.put("Vary", "Accept-Encoding");
        boolean isZippable = acceptsGzip && !headers.containsKey("Content-Encoding");
        switch (reply.body()) {
            case Reply.Empty _ -> whole(reply, headers, new byte[0], false);
            case Reply.Text text -> {
                headers.put("Content-Type", "text/plain; charset=utf-8");
                whole(reply, headers, text.text().getBytes(StandardCharsets.UTF_8), isZippable);
            }
            case Reply.Bytes(String contentType, byte[] bytes) -> {
                if (!contentType.isEmpty()) {
                    headers.put("Content-Type", contentType);
                }
                whole(reply, headers, bytes, isZippable);
            }
            case Reply.Json json -> {
                headers.put("Content-Type", "application/json");
                AnswerBody body = new AnswerBody(sink, reply.status(), headers, isZippable, budget);
                try {
                    json(body, json.value());
                    body.close();
                } catch (AnswerBody.NoRoom full) {
                    throw new Refused(new Refusal.Exhausted("the memory for large answers", RETRY_AFTER));
                } finally {
                    body.release();
                }
            }
            case Reply.Stream stream -> {
                headers.put("Content-Type", stream.contentType());
                OutputStream out = sink.begin(reply.status(), headers, stream.length());
                stream.writer().write(out);
                // Only now: closing says that all has come, which after a failure nobody may
                // believe.
                out.close();
            }
            case Reply.WebSocket _, Reply.Tunnel _ -> throw new IllegalArgumentException("a conversation has no body");
        }
    }

    private void json(AnswerBody body, @Nullable Object value) throws IOException {
        if (isPretty) {
            Json.writePretty(body, value);
        } else {
            Json.write(body, value);
        }
    }

    private void whole(Reply reply, Map<String, String> headers, byte[] bytes, boolean isZippable) throws IOException {
        AnswerBody body = new AnswerBody(sink, reply.status(), headers, isZippable, budget);
        try {
            body.write(bytes);
            body.close();
        } finally {
            body.release();
        }
    }

    /** Given without a value, or with any but 0. */
    private static boolean isPretty(Request request) {
        return request.query("pretty", true).filter(value -> !value.equals("0")).isPresent();
    }

    private static boolean acceptsGzip(Request request) {
        for (String coding : request.header("Accept-Encoding").split(",", -1)) {
            String[] parts = coding.strip().toLowerCase(Locale.ROOT).split(";", -1);
            if (parts[0].strip().equals("gzip")) {
                return parts.length < 2 || !parts[1].strip().matches("q=0(\\.0*)?");
            }
        }
        return false;
    }
}
