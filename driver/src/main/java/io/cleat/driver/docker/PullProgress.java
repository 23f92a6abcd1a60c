package io.cleat.driver.docker;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * How far a pull is, from the lines that an engine says of it.
 *
 * <p>Of the thread that pulls; its words are for any.
 */
final class PullProgress {
    private static final double MEBI = 1 << 20;

    /** More layers than these no image has; what lies is not kept. */
    private static final int MOST_LAYERS = 1000;

    private record Layer(long current, long total, boolean isDone) {}

    private final Map<String, Layer> layers = new HashMap<>();
    private volatile String words = "begun";

    void line(JsonNode line) {
        String id = line.path("id").asString("");
        String status = line.path("status").asString("");
        if (id.isEmpty() || (layers.size() >= MOST_LAYERS && !layers.containsKey(id))) {
            return;
        }
        JsonNode detail = line.path("progressDetail");
        Layer before = layers.getOrDefault(id, new Layer(0, 0, false));
        boolean isDone = before.isDone()
                || status.equals("Pull complete")
                || status.equals("Already exists")
                || status.equals("Download complete");
        if (status.equals("Downloading") || isDone) {
            long total = Math.max(before.total(), detail.path("total").asLong(0));
            long current = isDone
                    ? total
                    : Math.max(before.current(), detail.path("current").asLong(0));
            layers.put(id, new Layer(current, total, isDone));
        } else {
            layers.putIfAbsent(id, before);
        }
        words = text();
    }

    private String text() {
        long done = layers.values().stream().filter(Layer::isDone).count();
        long current = layers.values().stream().mapToLong(Layer::current).sum();
        long total = layers.values().stream().mapToLong(Layer::total).sum();
        return String.format(
                Locale.ROOT,
                "pulled %d/%d layers (%.1f of %.1f MiB)",
                done,
                layers.size(),
                current / MEBI,
                total / MEBI);
    }

    /** For people. */
    String words() {
        return words;
    }
}
