package io.cleat.state;

import io.cleat.base.Ordered;
import java.util.List;
import java.util.Map;

/**
 * What the scheduler saw when it looked for a node.
 *
 * @param nodesAvailable ready nodes of the job's pool, by datacenter
 * @param classFiltered how many nodes of a class were left out; nodes without a class are not counted
 * @param constraintFiltered how many nodes were left out, by reason
 * @param dimensionExhausted how many nodes had no room left, by what was short
 * @param scores of the best nodes that fit, best first; at most {@link #SCORES}
 * @param verdicts of older programs, which told of each node why it was left out; else empty: the reasons are counted,
 *     and a row holds nothing that grows with the cluster
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
    /** How many of the best are kept. */
    public static final int SCORES = 5;

    public static final PlacementMetric NONE = new PlacementMetric(
            0, 0, 0, 0, "", Map.of(), Map.of(), Map.of(), Map.of(), Map.of(), List.of(), List.of(), 0);

    public PlacementMetric {
        nodesAvailable = Ordered.copyOf(nodesAvailable);
        classFiltered = Ordered.copyOf(classFiltered);
        constraintFiltered = Ordered.copyOf(constraintFiltered);
        classExhausted = Ordered.copyOf(classExhausted);
        dimensionExhausted = Ordered.copyOf(dimensionExhausted);
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
            parts = Ordered.copyOf(parts);
        }
    }

    /** Why a node was not chosen. */
    public record Verdict(String nodeId, String reason) {}

    /** Whether it holds no more than is kept now. */
    public boolean isBounded() {
        return scores.size() <= SCORES && verdicts.isEmpty();
    }

    /** The same without what older programs kept of each node. */
    public PlacementMetric bounded() {
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
                scores.subList(0, Math.min(SCORES, scores.size())),
                List.of(),
                coalescedFailures);
    }

    /** The same with one more allocation that found no place either. */
    public PlacementMetric andAnother() {
        return andOthers(1);
    }

    /** The same with so many more that found none. */
    public PlacementMetric andOthers(int more) {
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
                coalescedFailures + more);
    }
}
