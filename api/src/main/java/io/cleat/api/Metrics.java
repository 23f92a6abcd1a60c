package io.cleat.api;

import java.util.List;
import java.util.Map;

/** Figures of one moment, in the shape of Nomad's {@code /v1/metrics}. */
public record Metrics(
        List<Figure> Counters,
        List<Figure> Gauges,
        List<Figure> Points,
        List<Figure> PrecisionGauges,
        List<Figure> Samples,
        String Timestamp) {
    /** One gauge; the same name may come several times, with other labels. */
    public record Figure(Map<String, String> Labels, String Name, double Value) {}
}
