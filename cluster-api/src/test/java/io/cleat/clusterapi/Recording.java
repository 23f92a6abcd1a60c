package io.cleat.clusterapi;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** An answer of Nomad, as recorded. */
public record Recording(JsonNode whole) {
    public JsonNode request() {
        return whole.get("request");
    }

    public JsonNode body() {
        return whole.get("body");
    }

    public static Recording of(String name) {
        try (InputStream in = Recording.class.getResourceAsStream("/recorded/" + name + ".json")) {
            if (in == null) {
                throw new IllegalArgumentException("no recording " + name);
            }
            return new Recording(new ObjectMapper().readTree(in));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
