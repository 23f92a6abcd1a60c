package io.cleat.cli;

import io.cleat.api.AllocMetric;
import io.cleat.base.VisibleText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Why nodes were not chosen, one line per reason. */
final class MetricView {
    private MetricView() {}

    /** The groups that could not be placed, each with its reasons. */
    static List<String> failures(Map<String, AllocMetric> byGroup, String indent) {
        List<String> lines = new ArrayList<>();
        new TreeMap<>(byGroup).forEach((group, metric) -> {
            int failed = metric.CoalescedFailures() + 1;
            lines.add("%sTask Group \"%s\" (failed to place %d allocation%s):"
                    .formatted(indent, group, failed, failed == 1 ? "" : "s"));
            lines.addAll(reasons(metric, indent + "  * "));
        });
        return lines.stream().map(VisibleText::line).toList();
    }

    /** The reasons of one group. */
    static List<String> reasons(AllocMetric metric, String indent) {
        List<String> lines = new ArrayList<>();
        if (metric.NodesEvaluated() == 0) {
            lines.add(indent + "No nodes were eligible for evaluation");
        }
        sorted(metric.NodesAvailable()).forEach((datacenter, count) -> {
            if (count == 0) {
                lines.add(indent + "No nodes are available in datacenter \"" + datacenter + "\"");
            }
        });
        sorted(metric.ClassFiltered())
                .forEach((name, count) ->
                        lines.add("%sClass \"%s\": %d nodes excluded by filter".formatted(indent, name, count)));
        sorted(metric.ConstraintFiltered())
                .forEach((name, count) ->
                        lines.add("%sConstraint \"%s\": %d nodes excluded by filter".formatted(indent, name, count)));
        if (metric.NodesExhausted() > 0) {
            lines.add("%sResources exhausted on %d nodes".formatted(indent, metric.NodesExhausted()));
        }
        sorted(metric.ClassExhausted())
                .forEach((name, count) ->
                        lines.add("%sClass \"%s\" exhausted on %d nodes".formatted(indent, name, count)));
        sorted(metric.DimensionExhausted())
                .forEach((name, count) ->
                        lines.add("%sDimension \"%s\" exhausted on %d nodes".formatted(indent, name, count)));
        return lines.stream().map(VisibleText::line).toList();
    }

    /** The scores of the nodes that were ranked; empty when none was. */
    static String scores(AllocMetric metric, boolean verbose) {
        if (metric.ScoreMetaData() == null || metric.ScoreMetaData().isEmpty()) {
            return "";
        }
        Columns columns = new Columns("Node", "Scores", "Final Score");
        for (var score : metric.ScoreMetaData()) {
            List<String> parts = new ArrayList<>();
            new TreeMap<>(score.Scores() == null ? Map.of() : score.Scores())
                    .forEach((name, value) -> parts.add(name + "=" + number(value)));
            columns.row(Human.id(score.NodeID(), verbose), String.join(" ", parts), number(score.NormScore()));
        }
        return columns.text();
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.3g", value);
    }

    private static Map<String, Integer> sorted(@Nullable Map<String, Integer> counts) {
        return counts == null ? Map.of() : new TreeMap<>(counts);
    }
}
