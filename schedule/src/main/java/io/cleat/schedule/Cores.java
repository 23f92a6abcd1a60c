package io.cleat.schedule;

import io.cleat.model.NodeFacts;
import io.cleat.model.Resources;
import io.cleat.model.Task;
import io.cleat.model.TaskGroup;
import io.cleat.state.AllocationRow;
import io.cleat.state.ClusterState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The cores of one node that tasks have for themselves. One that is stopped has its cores until it has ended, also
 * where another of its job takes its place: two never share one.
 */
public final class Cores {
    private final Resources total;
    private final SortedSet<Integer> free;

    private Cores(Resources total, SortedSet<Integer> free) {
        this.total = total;
        this.free = free;
    }

    /** Those that are free on a node now. */
    public static Cores of(ClusterState state, NodeFacts node) {
        SortedSet<Integer> free = new TreeSet<>(node.total().coreIds());
        if (!free.isEmpty()) {
            for (AllocationRow row : state.openAllocationsOnNode(node.id())) {
                row.placed().resources().values().forEach(each -> free.removeAll(each.coreIds()));
            }
        }
        return new Cores(node.total(), free);
    }

    /** How many are free. */
    public int free() {
        return free.size();
    }

    /** What the tasks of a group use together there: a core counts as its share of the node's processors. */
    public static Resources wanted(NodeFacts node, TaskGroup group) {
        Resources wanted = Resources.NONE;
        for (Task task : group.tasks()) {
            wanted = wanted.plus(priced(node.total(), task.resources()));
        }
        return wanted;
    }

    /** Likewise, of a group that wants the same of each node, since none of its tasks wants cores for itself. */
    static Optional<Resources> wantedAnywhere(TaskGroup group) {
        Resources wanted = Resources.NONE;
        for (Task task : group.tasks()) {
            if (task.resources().cores() > 0) {
                return Optional.empty();
            }
            wanted = wanted.plus(task.resources());
        }
        return Optional.of(wanted);
    }

    private static Resources priced(Resources total, Resources asked) {
        return asked.cores() == 0
                ? asked
                : new Resources(
                        mhz(total, asked.cores()), asked.memoryMb(), asked.memoryMaxMb(), asked.cores(), List.of());
    }

    private static long mhz(Resources total, int cores) {
        return total.cores() == 0 ? 0 : total.cpuMhz() * cores / total.cores();
    }

    /**
     * What each task of a group is given, by name: the free cores with the lowest numbers.
     *
     * @param group that wants no more than are free
     */
    public Map<String, Resources> given(TaskGroup group) {
        List<Integer> left = new ArrayList<>(free);
        Map<String, Resources> given = new TreeMap<>();
        for (Task task : group.tasks()) {
            Resources asked = task.resources();
            List<Integer> own = left.subList(0, asked.cores());
            given.put(task.name(), asked.cores() == 0 ? asked : asked.on(List.copyOf(own), mhz(total, asked.cores())));
            own.clear();
        }
        return given;
    }
}
