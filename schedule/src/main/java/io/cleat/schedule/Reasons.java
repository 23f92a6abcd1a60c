package io.cleat.schedule;

import io.cleat.base.VisibleText;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * How many nodes were left out, by reason: as they were said while they are few, then without the node that they name,
 * and of those only the most frequent. What comes out does not grow with the cluster.
 */
final class Reasons {
    /** How many reasons are told apart. */
    static final int MOST = 10;

    /** Characters of one. */
    private static final int LONGEST = 300;

    private static final String OTHERS = "other reasons";

    private final Map<String, Integer> asSaid = new TreeMap<>();
    private final Map<String, Integer> withoutNode = new TreeMap<>();

    /** A node was left out. */
    void add(String reason, String nodeId) {
        if (asSaid.size() <= MOST) {
            asSaid.merge(reason, 1, Integer::sum);
        }
        withoutNode.merge(reason.replace(" " + nodeId, ""), 1, Integer::sum);
    }

    Map<String, Integer> counted() {
        return most(asSaid.size() <= MOST ? asSaid : withoutNode, OTHERS);
    }

    /**
     * The most frequent of {@code counts}, the others under one name.
     *
     * @return at most {@link #MOST}
     */
    static Map<String, Integer> most(Map<String, Integer> counts, String others) {
        List<Map.Entry<String, Integer>> byCount = counts.entrySet().stream()
                .sorted(Comparator.comparingInt((Map.Entry<String, Integer> each) -> -each.getValue())
                        .thenComparing(Map.Entry::getKey))
                .toList();
        boolean areAll = byCount.size() <= MOST;
        Map<String, Integer> most = new TreeMap<>();
        for (Map.Entry<String, Integer> each : byCount) {
            boolean isNamed = areAll || most.size() < MOST - 1;
            String name = isNamed ? VisibleText.head(each.getKey(), LONGEST) : others;
            most.merge(name, each.getValue(), Integer::sum);
        }
        return most;
    }
}
