package io.cleat.api;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** An answer of Nomad, as recorded. */
record Recorded(JsonNode request, int status, JsonNode headers, JsonNode body) {
    static Recorded of(String name) {
        try (InputStream in = Recorded.class.getResourceAsStream("/recorded/" + name + ".json")) {
            if (in == null) {
                throw new IllegalArgumentException("no recording " + name);
            }
            JsonNode whole = new ObjectMapper().readTree(in);
            return new Recorded(
                    whole.get("request"), whole.get("status").intValue(), whole.get("headers"), whole.get("body"));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
