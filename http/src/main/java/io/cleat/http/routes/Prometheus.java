package io.cleat.http.routes;

import io.cleat.api.Metrics;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Figures in the text format that Prometheus reads (exposition format 0.0.4). */
final class Prometheus {
    private Prometheus() {}

    static String text(Metrics metrics) {
        Map<String, List<Metrics.Figure>> byName = new TreeMap<>();
        for (Metrics.Figure figure : metrics.Gauges()) {
            byName.computeIfAbsent(name(figure.Name()), n -> new ArrayList<>()).add(figure);
        }
        StringBuilder text = new StringBuilder();
        byName.forEach((name, figures) -> {
            text.append("# TYPE ").append(name).append(" gauge\n");
            for (Metrics.Figure figure : figures) {
                text.append(name).append(labels(figure.Labels())).append(' ');
                text.append(number(figure.Value())).append('\n');
            }
        });
        return text.toString();
    }

    private static String name(String name) {
        return name.replaceAll("[^A-Za-z0-9_:]", "_");
    }

    private static String labels(Map<String, String> labels) {
        if (labels.isEmpty()) {
            return "";
        }
        List<String> parts = new ArrayList<>();
        new TreeMap<>(labels)
                .forEach((key, value) -> parts.add(name(key)
                        + "=\""
                        + value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n")
                        + "\""));
        return "{" + String.join(",", parts) + "}";
    }

    private static String number(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e15
                ? String.format(Locale.ROOT, "%.0f", value)
                : Double.toString(value);
    }
}
