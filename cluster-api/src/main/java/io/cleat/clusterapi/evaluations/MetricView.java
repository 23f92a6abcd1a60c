package io.cleat.clusterapi.evaluations;

import io.cleat.api.AllocMetric;
import io.cleat.api.NodeScore;
import io.cleat.state.PlacementMetric;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What the scheduler saw. */
public final class MetricView {
    private MetricView() {}

    public static AllocMetric of(PlacementMetric metric) {
        return new AllocMetric(
                0,
                orNull(metric.classExhausted()),
                orNull(metric.classFiltered()),
                metric.coalescedFailures(),
                orNull(metric.constraintFiltered()),
                orNull(metric.dimensionExhausted()),
                metric.nodePool(),
                new TreeMap<>(metric.nodesAvailable()),
                metric.nodesEvaluated(),
                metric.nodesExhausted(),
                metric.nodesFiltered(),
                metric.nodesInPool(),
                null,
                null,
                scores(metric.scores()),
                null);
    }

    /** By group; null if there are none. */
    public static @Nullable Map<String, AllocMetric> byGroup(Map<String, PlacementMetric> metrics) {
        if (metrics.isEmpty()) {
            return null;
        }
        Map<String, AllocMetric> views = new TreeMap<>();
        metrics.forEach((group, metric) -> views.put(group, of(metric)));
        return views;
    }

    private static @Nullable List<NodeScore> scores(List<PlacementMetric.Score> scores) {
        return scores.isEmpty()
                ? null
                : scores.stream()
                        .map(score -> new NodeScore(score.nodeId(), score.norm(), new TreeMap<>(score.parts())))
                        .toList();
    }

    private static @Nullable Map<String, Integer> orNull(Map<String, Integer> counts) {
        return counts.isEmpty() ? null : new TreeMap<>(counts);
    }
}
