package io.cleat.api;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Figures of one moment, in the shape of Nomad's {@code /v1/metrics}. */
public record Metrics(
        List<Figure> Counters,
        List<Figure> Gauges,
        List<Figure> Points,
        List<Figure> PrecisionGauges,
        List<Figure> Samples,
        String Timestamp) {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern(
                    "yyyy-MM-dd HH:mm:ss Z 'UTC'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    /** One gauge; the same name may come several times, with other labels. */
    public record Figure(Map<String, String> Labels, String Name, double Value) {}

    /** Gauges alone, of this moment. */
    public static Metrics ofGauges(List<Figure> gauges, Instant now) {
        return new Metrics(List.of(), List.copyOf(gauges), List.of(), List.of(), List.of(), TIME.format(now));
    }
}
