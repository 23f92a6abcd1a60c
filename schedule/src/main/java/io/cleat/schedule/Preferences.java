package io.cleat.schedule;

import io.cleat.model.Affinity;
import io.cleat.model.Constraint;
import io.cleat.model.JobSpec;
import io.cleat.model.Spread;
import io.cleat.model.Task;
import io.cleat.model.TaskGroup;
import io.cleat.state.NodeRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * What a job says that nodes should be, for one allocation that is to be placed: from -1 for a node
 * that is all that it should not be, to 1.
 */
final class Preferences {
    private static final double ALL = 100;

    private final Searches searches;
    private final int count;
    private final List<Affinity> affinities;
    private final List<Counted> spreads;

    /** A spread, and how many allocations each value of its attribute has already. */
    private record Counted(Spread spread, Map<String, Integer> counts) {}

    Preferences(JobSpec job, TaskGroup group, Proposed proposed, Searches searches) {
        this.searches = searches;
        this.count = group.count();
        affinities = new ArrayList<>(job.affinities());
        affinities.addAll(group.affinities());
        for (Task task : group.tasks()) {
            affinities.addAll(task.affinities());
        }
        spreads = new ArrayList<>();
        for (List<Spread> some : List.of(job.spreads(), group.spreads())) {
            for (Spread spread : some) {
                spreads.add(
                        new Counted(
                                spread,
                                proposed.byValue(spread.attribute(), Optional.of(group.name()))));
            }
        }
    }

    /** The share of the weights of what it should be that it is. */
    OptionalDouble affinity(NodeRow node) {
        double met = 0;
        double all = 0;
        for (Affinity affinity : affinities) {
            all += Math.abs(affinity.weight());
            if (isMet(affinity.condition(), node)) {
                met += affinity.weight();
            }
        }
        return all == 0 ? OptionalDouble.empty() : OptionalDouble.of(met / all);
    }

    private boolean isMet(Constraint condition, NodeRow node) {
        return new ConstraintFilter(condition, searches).reject(node).isEmpty();
    }

    /** How much one more allocation there is wanted, by all spreads. */
    OptionalDouble spread(NodeRow node) {
        double sum = 0;
        double all = 0;
        for (Counted counted : spreads) {
            Spread spread = counted.spread();
            all += spread.weight();
            String value = Attributes.resolve(spread.attribute(), node.facts());
            sum += spread.weight() * wanted(spread, counted.counts(), value);
        }
        return all == 0 ? OptionalDouble.empty() : OptionalDouble.of(sum / all);
    }

    private double wanted(Spread spread, Map<String, Integer> counts, @Nullable String value) {
        if (value == null) {
            return -1;
        }
        int there = counts.getOrDefault(value, 0);
        return spread.targets().isEmpty()
                ? evenly(there, counts)
                : toTarget(there, percent(spread, value) / ALL * count);
    }

    /** What no target names has what the targets leave. */
    private static double percent(Spread spread, String value) {
        int left = (int) ALL;
        for (Spread.Target target : spread.targets()) {
            if (target.value().equals(value)) {
                return target.percent();
            }
            left -= target.percent();
        }
        return left;
    }

    private static double toTarget(int there, double target) {
        return target == 0 ? -1 : Math.max(-1, (target - there - 1) / target);
    }

    /** The value with the fewest is wanted most, one with more the less the more it has. */
    private static double evenly(int there, Map<String, Integer> counts) {
        int least = there;
        int most = there;
        for (int each : counts.values()) {
            least = Math.min(least, each);
            most = Math.max(most, each);
        }
        if (there > least) {
            return -(double) (there - least) / there;
        }
        return most == 0 ? 0 : (double) (most - least) / most;
    }
}
