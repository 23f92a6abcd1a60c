package io.cleat.clusterapi.jobs;

import io.cleat.base.TextRule;
import io.cleat.clusterapi.nodes.NodePoolAnswers;
import io.cleat.model.JobSpec;
import io.cleat.model.Task;
import io.cleat.state.ClusterState;
import io.cleat.state.NodeRow;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * What a job asks for that no node has. It is taken all the same, since a node that has it may come: whoever sent it is
 * told what it waits for.
 */
final class JobWarnings {
    private JobWarnings() {}

    static List<String> of(ClusterState state, JobSpec spec) {
        List<String> warnings = new ArrayList<>();
        Collection<NodeRow> nodes = state.nodes();
        String pool = spec.nodePool();
        if (!NodePoolAnswers.isAlwaysThere(pool)
                && nodes.stream().noneMatch(node -> node.facts().nodePool().equals(pool))) {
            warnings.add("no node is in node pool "
                    + TextRule.quoted(pool)
                    + ": the job waits for one, which is started with -node-pool="
                    + pool);
        }
        if (!nodes.isEmpty()) {
            drivers(nodes, spec, warnings);
        }
        return warnings;
    }

    /** Looks at no more nodes than it takes to find each driver. */
    private static void drivers(Collection<NodeRow> nodes, JobSpec spec, List<String> warnings) {
        SortedSet<String> absent = spec.groups().stream()
                .flatMap(group -> group.tasks().stream())
                .map(Task::driver)
                .collect(Collectors.toCollection(TreeSet::new));
        SortedSet<String> there = new TreeSet<>();
        for (NodeRow node : nodes) {
            if (absent.isEmpty()) {
                return;
            }
            there.addAll(node.facts().drivers().keySet());
            absent.removeAll(there);
        }
        for (String driver : absent) {
            warnings.add("no node has the task driver "
                    + TextRule.quoted(driver)
                    + ": its groups wait for one that has; nodes here have "
                    + String.join(", ", there));
        }
    }
}
