package io.cleat.state;

import java.util.List;
import java.util.Map;

/**
 * What the scheduler saw when it looked for a node.
 *
 * @param nodesAvailable ready nodes of the job's pool, by datacenter
 * @param classFiltered how many nodes of a class were left out; nodes without a class are not
 *     counted
 * @param constraintFiltered how many nodes were left out, by reason
 * @param dimensionExhausted how many nodes had no room left, by what was short
 * @param scores of the nodes that fit, best first
 * @param verdicts why each other node was not chosen
 * @param coalescedFailures further allocations of the group that found no place either
 */
public record PlacementMetric(
        int nodesEvaluated,
        int nodesFiltered,
        int nodesExhausted,
        int nodesInPool,
        String nodePool,
        Map<String, Integer> nodesAvailable,
        Map<String, Integer> classFiltered,
        Map<String, Integer> constraintFiltered,
        Map<String, Integer> classExhausted,
        Map<String, Integer> dimensionExhausted,
        List<Score> scores,
        List<Verdict> verdicts,
        int coalescedFailures) {
    public static final PlacementMetric NONE =
            new PlacementMetric(
                    0, 0, 0, 0, "", Map.of(), Map.of(), Map.of(), Map.of(), Map.of(), List.of(),
                    List.of(), 0);

    public PlacementMetric {
        nodesAvailable = Map.copyOf(nodesAvailable);
        classFiltered = Map.copyOf(classFiltered);
        constraintFiltered = Map.copyOf(constraintFiltered);
        classExhausted = Map.copyOf(classExhausted);
        dimensionExhausted = Map.copyOf(dimensionExhausted);
        scores = List.copyOf(scores);
        verdicts = List.copyOf(verdicts);
    }

    /**
     * How well a node fits.
     *
     * @param parts by name, such as {@code binpack}
     * @param norm their mean
     */
    public record Score(String nodeId, Map<String, Double> parts, double norm) {
        public Score {
            parts = Map.copyOf(parts);
        }
    }

    /** Why a node was not chosen. */
    public record Verdict(String nodeId, String reason) {}

    /** The same with one more allocation that found no place either. */
    public PlacementMetric andAnother() {
        return new PlacementMetric(
                nodesEvaluated,
                nodesFiltered,
                nodesExhausted,
                nodesInPool,
                nodePool,
                nodesAvailable,
                classFiltered,
                constraintFiltered,
                classExhausted,
                dimensionExhausted,
                scores,
                verdicts,
                coalescedFailures + 1);
    }
}
