package io.cleat.views;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** An answer of Nomad, as recorded. */
record Recording(JsonNode request, JsonNode body) {
    static Recording of(String name) {
        try (InputStream in = Recording.class.getResourceAsStream("/recorded/" + name + ".json")) {
            if (in == null) {
                throw new IllegalArgumentException("no recording " + name);
            }
            JsonNode whole = new ObjectMapper().readTree(in);
            return new Recording(whole.get("request"), whole.get("body"));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
