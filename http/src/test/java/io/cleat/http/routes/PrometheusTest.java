package io.cleat.http.routes;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.cleat.api.Metrics;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class PrometheusTest {
    private static Metrics.Figure figure(String name, double value, Map<String, String> labels) {
        return new Metrics.Figure(labels, name, value);
    }

    @Test
    void eachNameOnceWithItsLabelsEscaped() {
        Metrics metrics = new Metrics(
                List.of(),
                List.of(
                        figure("b.depth", 2000, Map.of("plugin", "a\"b\\c", "lane", "x")),
                        figure("a-b", 1.5, Map.of()),
                        figure("b.depth", 0, Map.of("plugin", "p", "lane", "y"))),
                List.of(),
                List.of(),
                List.of(),
                "");
        assertEquals("""
                # TYPE a_b gauge
                a_b 1.5
                # TYPE b_depth gauge
                b_depth{lane="x",plugin="a\\"b\\\\c"} 2000
                b_depth{lane="y",plugin="p"} 0
                """, Prometheus.text(metrics));
    }
}
