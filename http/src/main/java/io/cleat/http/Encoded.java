package io.cleat.http;

import io.cleat.api.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPOutputStream;

/**
 * A reply that is no stream, as the bytes that are sent.
 *
 * @param headers all of them but the length
 */
@SuppressWarnings("ArrayRecordComponent")
record Encoded(int status, Map<String, String> headers, byte[] body) {
    /** Below this a body is not worth compressing. */
    private static final int COMPRESSED_FROM = 1400;

    /** A reply to what could not be read as a request. */
    static Encoded of(Reply reply) {
        return of(reply, false, false);
    }

    static Encoded of(Reply reply, Request request) {
        return of(reply, isPretty(request), acceptsGzip(request));
    }

    private static Encoded of(Reply reply, boolean isPretty, boolean acceptsGzip) {
        Map<String, String> headers = new TreeMap<>(reply.headers());
        headers.put("Vary", "Accept-Encoding");
        byte[] body =
                switch (reply.body()) {
                    case Reply.Empty _ -> new byte[0];
                    case Reply.Text text -> {
                        headers.put("Content-Type", "text/plain; charset=utf-8");
                        yield text.text().getBytes(StandardCharsets.UTF_8);
                    }
                    case Reply.Json json -> {
                        headers.put("Content-Type", "application/json");
                        yield isPretty ? Json.writePretty(json.value()) : Json.write(json.value());
                    }
                    case Reply.Bytes(String contentType, byte[] bytes) -> {
                        if (!contentType.isEmpty()) {
                            headers.put("Content-Type", contentType);
                        }
                        yield bytes;
                    }
                    case Reply.Stream _, Reply.WebSocket _, Reply.Tunnel _ ->
                            throw new IllegalArgumentException("a stream has no bytes yet");
                };
        if (body.length >= COMPRESSED_FROM && acceptsGzip) {
            headers.put("Content-Encoding", "gzip");
            body = gzip(body);
        }
        return new Encoded(reply.status(), headers, body);
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

    private static byte[] gzip(byte[] plain) {
        ByteArrayOutputStream compressed = new ByteArrayOutputStream(plain.length / 4);
        try (GZIPOutputStream gzip = new GZIPOutputStream(compressed)) {
            gzip.write(plain);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return compressed.toByteArray();
    }
}
