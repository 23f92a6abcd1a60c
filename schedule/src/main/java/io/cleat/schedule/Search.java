package io.cleat.schedule;

import io.cleat.model.VolumeId;
import io.cleat.state.Fit;
import io.cleat.state.NodeRow;
import io.cleat.state.PlacementMetric;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What was seen of each node that one allocation could go to: those that fit, the best first, and of the others how
 * many were left out, and why.
 */
final class Search {
    /** Data centres and classes that are not told apart. */
    private static final String OTHERS = "others";

    /** A node that fits, and the mean of its scores. */
    private record Fitting(NodeRow node, double norm) implements Comparable<Fitting> {
        /** The highest mean, and among equals the lowest id. */
        @Override
        public int compareTo(Fitting other) {
            int byNorm = Double.compare(other.norm, norm);
            return byNorm != 0 ? byNorm : node.id().compareTo(other.node.id());
        }
    }

    private final String pool;

    /** The best first, once somebody wants to know; until then as they came. */
    private final List<Fitting> fitting = new ArrayList<>();

    private boolean isSorted;
    private int evaluated;
    private int filtered;
    private int exhausted;
    private final Map<String, Integer> available = new TreeMap<>();
    private final Reasons reasons = new Reasons();
    private final Map<String, Integer> classesFiltered = new TreeMap<>();
    private final Map<String, Integer> classesExhausted = new TreeMap<>();
    private final Map<String, Integer> dimensions = new TreeMap<>();
    private final Set<VolumeId> volumes = new TreeSet<>();
    private final Map<VolumeId, Fit.Unusable> unusable = new TreeMap<>();
    private @Nullable String portHolder;
    private boolean otherReasons;

    /** @param pool of the job */
    Search(String pool) {
        this.pool = pool;
    }

    /** One more node is in the job's reach; what it is otherwise is said next. */
    void available(NodeRow node) {
        evaluated++;
        available.merge(node.facts().datacenter(), 1, Integer::sum);
    }

    /** @param norm the mean of its scores */
    void fits(NodeRow node, double norm) {
        Fitting it = new Fitting(node, norm);
        if (isSorted) {
            fitting.add(-1 - Collections.binarySearch(fitting, it), it);
        } else {
            fitting.add(it);
        }
    }

    /**
     * Forgets that a node fits, which is then said anew.
     *
     * @return false for one that does not fit: what is counted of it cannot be taken back
     */
    boolean forget(String nodeId) {
        // It is among the first: mostly the very one that was taken.
        for (int i = 0; i < fitting.size(); i++) {
            if (fitting.get(i).node().id().equals(nodeId)) {
                fitting.remove(i);
                return true;
            }
        }
        return false;
    }

    void filtered(NodeRow node, Rejection rejection) {
        filtered++;
        reasons.add(rejection.reason(), node.id());
        if (!node.facts().nodeClass().isEmpty()) {
            classesFiltered.merge(node.facts().nodeClass(), 1, Integer::sum);
        }
        if (rejection.volume() == null) {
            otherReasons = true;
        } else {
            volumes.add(rejection.volume());
            if (rejection.unusable() != null) {
                unusable.put(rejection.volume(), rejection.unusable());
            }
        }
    }

    void exhausted(NodeRow node, String dimension) {
        exhausted++;
        dimensions.merge(dimension, 1, Integer::sum);
        if (!node.facts().nodeClass().isEmpty()) {
            classesExhausted.merge(node.facts().nodeClass(), 1, Integer::sum);
        }
        otherReasons = true;
    }

    /** @param holder the port that a node lacks, and who has it there */
    void portsExhausted(NodeRow node, String dimension, String holder) {
        portHolder = portHolder == null ? holder : portHolder;
        exhausted(node, dimension);
    }

    /**
     * What has become of it so far.
     *
     * @param scores of a node, one by one, as they were when its mean was said
     */
    Placer.Found found(Function<NodeRow, Map<String, Double>> scores) {
        if (!isSorted) {
            Collections.sort(fitting);
            isSorted = true;
        }
        return new Placer.Found(
                fitting.stream().findFirst().map(Fitting::node),
                metric(scores),
                new TreeSet<>(volumes),
                new TreeMap<>(unusable),
                portHolder,
                otherReasons || evaluated == 0);
    }

    private PlacementMetric metric(Function<NodeRow, Map<String, Double>> scores) {
        return new PlacementMetric(
                evaluated,
                filtered,
                exhausted,
                evaluated,
                pool,
                Reasons.most(available, OTHERS),
                Reasons.most(classesFiltered, OTHERS),
                reasons.counted(),
                Reasons.most(classesExhausted, OTHERS),
                dimensions,
                fitting.stream()
                        .limit(PlacementMetric.SCORES)
                        .map(each ->
                                new PlacementMetric.Score(each.node().id(), scores.apply(each.node()), each.norm()))
                        .toList(),
                List.of(),
                0);
    }
}
